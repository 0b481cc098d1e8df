import { act, useState } from "react"
import { afterEach, expect, it, test } from "vitest"
import { setSettings } from "../lib/settings.ts"
import { type Stage, show } from "../testing/stage.tsx"
import { DateField } from "./DateField.tsx"
import { useDateCheck } from "./useDateCheck.ts"

let stage: Stage
afterEach(async () => {
  await stage.leave()
  setSettings({ language: "en" })
})

let blurs = 0
function OwnDate({ start = "" }: { start?: string }) {
  const [text, setText] = useState(start)
  const wrong = useDateCheck()
  return (
    <>
      <DateField
        label="Birth date"
        birth
        value={text}
        onChange={setText}
        onBlur={() => blurs++}
        error={wrong(text, { min: "1900-01-01", max: "2026-11-22" })}
      />
      <output>{text}</output>
    </>
  )
}

const part = (name: string) => stage.get("fieldset input, fieldset select", name) as HTMLInputElement
const typed = () => stage.get("output").textContent
const choose = (value: string) =>
  act(async () => {
    const month = stage.get("fieldset select") as HTMLSelectElement
    month.value = value
    month.dispatchEvent(new Event("change", { bubbles: true }))
  })

test("three parts make one day, from any digits, and none of them makes none", async () => {
  stage = await show(<OwnDate />)
  await stage.type(part("Day"), "๕")
  await choose("2")
  await stage.type(part("Year"), "１９９０ ")
  expect(typed()).toBe("1990-2-5")
  expect(part("Year").value).toBe("1990")
  await stage.type(part("Day"), "")
  await stage.type(part("Year"), "")
  await choose("")
  expect(typed()).toBe("")
})

test("its parts are the browser's own for a birth date, and stand in the language's order", async () => {
  const order = () =>
    [...document.querySelectorAll("fieldset [autocomplete]")].map((one) => one.getAttribute("autocomplete"))
  stage = await show(<OwnDate />)
  expect(order()).toEqual(["bday-month", "bday-day", "bday-year"])
  await stage.leave()
  setSettings({ language: "ja" })
  stage = await show(<OwnDate />)
  expect(order()).toEqual(["bday-year", "bday-month", "bday-day"])
})

test("the focus has left it only when it has left all of its parts", async () => {
  stage = await show(<OwnDate />)
  blurs = 0
  await act(async () => part("Day").focus())
  await act(async () => part("Year").focus())
  expect(blurs).toBe(0)
  await act(async () => part("Year").blur())
  expect(blurs).toBe(1)
})

it.each([
  ["", ""],
  ["1990-2-5", ""],
  ["1990-2-", "Fill in day, month and year"],
  ["90-2-5", "Fill in day, month and year"],
  ["2023-2-29", "This day doesn't exist"],
  ["2024-2-29", ""],
  ["1899-12-31", "Not before Jan 1, 1900"],
  ["2026-11-23", "Not after Nov 22, 2026"],
])("of %j it says %j, at the field and to readers", async (start, said) => {
  stage = await show(<OwnDate start={start} />)
  const field = stage.get("fieldset")
  const note = field.getAttribute("aria-describedby")
  expect(note === null ? "" : document.getElementById(note)?.textContent).toBe(said)
  expect(part("Day").getAttribute("aria-invalid")).toBe(String(said !== ""))
})
