import { act, useState } from "react"
import { afterEach, describe, expect, it, test, vi } from "vitest"
import { setSettings } from "../lib/settings.ts"
import { holdClock } from "../testing/clock.ts"
import { type Stage, show } from "../testing/stage.tsx"
import { Address } from "./Address.tsx"
import { Amount } from "./Amount.tsx"
import { AmountField } from "./AmountField.tsx"
import { FormSummary } from "./FormSummary.tsx"
import { Price } from "./Price.tsx"
import { Sparkline } from "./Sparkline.tsx"
import { Stepper } from "./Stepper.tsx"

let stage: Stage
holdClock()
afterEach(() => stage.leave())

function OwnAmount({ start = "", decimals = 2 }: { start?: string; decimals?: number }) {
  const [text, setText] = useState(start)
  return <AmountField label="Amount" value={text} onChange={setText} decimals={decimals} max="1234.5" />
}

function OwnCount() {
  const [value, setValue] = useState(3)
  return <Stepper label="Pieces" value={value} onChange={setValue} most={12} />
}

describe("AmountField", () => {
  const field = () => stage.get("input", "Amount") as HTMLInputElement
  const keys = async (...names: string[]) => {
    for (const name of names) await stage.press(stage.get("fieldset button", name))
  }

  test("is a text field of our own keypad, never of numbers", async () => {
    stage = await show(<OwnAmount />)
    expect([field().type, field().inputMode]).toEqual(["text", "none"])
    await act(async () => field().focus())
    await keys("1", "2", "decimal separator", "5", "0", "7", "erase", "9")
    expect(field().value).toBe("12.59")
  })

  test("types at the caret and over a selection", async () => {
    stage = await show(<OwnAmount start="1234" />)
    await act(async () => field().focus())
    field().setSelectionRange(1, 3)
    await keys("9")
    expect([field().value, field().selectionStart]).toEqual(["194", 2])
    await keys("erase")
    expect([field().value, field().selectionStart]).toEqual(["14", 1])
  })

  test("has the language's separator on its key, and reads any other", async () => {
    setSettings({ language: "vn" })
    stage = await show(<OwnAmount />)
    await act(async () => field().focus())
    expect(stage.get("fieldset button", "decimal separator").textContent).toBe(",")
    await stage.type(field(), "๑２。5")
    expect(stage.get("[role=status]").textContent).toBe("Read as 12,5")
    await stage.press(stage.get("button", /^Max/))
    expect(field().value).toBe("1234,5")
    // As a machine writes twelve thousand and more in another notation: what it is read as is told.
    await stage.type(field(), "12.34")
    expect(stage.get("[role=status]").textContent).toBe("Read as 12,34")
  })

  test("with the eye closed its key says to nobody how much the most is", async () => {
    stage = await show(<OwnAmount />)
    const named = () => stage.get("button", /^Max/).getAttribute("aria-label")
    expect(named()).toBe("Max: 1,234.5")
    await act(async () => setSettings({ hide: true }))
    expect(named()).toBe("Max")
    await act(async () => setSettings({ hide: false }))
  })

  it.each([
    ["1,234.5", "Type one decimal separator and no thousands separators"],
    ["1.234", "At most 2 decimals"],
    ["-5", "Only digits and one separator"],
    ["1234567890123456789", "That is more digits than an amount can have"],
  ])("%s is refused with its reason", async (text, reason) => {
    stage = await show(<OwnAmount />)
    await stage.type(field(), text)
    expect(field().getAttribute("aria-invalid")).toBe("true")
    expect(stage.get("[role=status]").textContent).toBe(reason)
  })

  test("its keypad stays while a key has the focus, and goes with Escape", async () => {
    stage = await show(<OwnAmount />)
    await act(async () => field().focus())
    await act(async () => stage.get("fieldset button", "7").focus())
    await keys("7")
    expect(field().value).toBe("7")
    await act(async () => field().focus())
    await act(async () =>
      field().dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true })),
    )
    expect(stage.count("fieldset")).toBe(0)
  })
})

describe("figures", () => {
  test("hidden ones have as many dots of a digit's width, whatever they are", async () => {
    setSettings({ hide: true })
    stage = await show([
      <Amount key="1" value="1" private />,
      <Amount key="2" value="999999.12" private />,
      <Amount key="3" value="7" />,
    ])
    expect(stage.count(".w-\\[1ch\\]")).toBe(12)
    expect(stage.text()).not.toContain("999")
    expect(stage.text()).toContain("7")
  })

  test("a selection inside one copies its machine form, an address its exact text", async () => {
    const address = "0x5FbDB2315678afecb367f032d93F642f64180aa3"
    stage = await show([
      <Amount key="1" value="1234.500" asset="USDT" />,
      <Address key="2" address={address} network="USDT" />,
    ])
    const copied = (element: Element) => {
      getSelection()?.selectAllChildren(element)
      let text = ""
      const event = Object.assign(new Event("copy", { bubbles: true, cancelable: true }), {
        clipboardData: { setData: (_type: string, value: string) => (text = value) },
      })
      element.dispatchEvent(event)
      return text
    }
    expect(copied(stage.get("span.whitespace-nowrap", "1,234.50 USDT"))).toBe("1234.5")
    expect(copied(stage.get("[data-address]"))).toBe(address)
  })

  test("a tiny price counts its zeros, and a press writes it out", async () => {
    stage = await show(<Price value="0.0000012345" asset="USDT" />)
    const shown = () => stage.get("button span[aria-hidden]").textContent
    expect([shown(), stage.get("sub").textContent]).toEqual(["0.051235 USDT", "5"])
    expect(stage.get(".sr-only").textContent).toContain("0.0000012345 USDT")
    await stage.press(stage.get("button"))
    expect(shown()).toBe("0.0000012345 USDT")
  })

  test("a tiny price in a row that is pressed itself is no button, and still read out whole", async () => {
    stage = await show(<Price value="0.0000012345" asset="USDT" still />)
    expect([stage.count("button"), stage.get("sub").textContent]).toEqual([0, "5"])
    expect(stage.get(".sr-only").textContent).toBe("0.0000012345 USDT")
  })

  test("a line of one value keeps its place", async () => {
    stage = await show(<Sparkline values={["1"]} className="h-8 w-20" />)
    expect([stage.count("svg"), stage.count("span.h-8.w-20")]).toEqual([0, 1])
  })
})

test("a form's summary takes the focus with each try, and leads to each field", async () => {
  const chosen = vi.fn()
  const problems = [
    { name: "email", text: "Enter your e-mail" },
    { name: "code", text: "The code has six digits" },
  ]
  stage = await show(<FormSummary problems={problems} tries={1} onChoose={chosen} />)
  expect(document.activeElement).toBe(stage.get("section"))
  await stage.press(stage.get("button", "The code has six digits"))
  expect(chosen.mock.calls).toEqual([["code"]])
})

describe("Stepper", () => {
  const field = () => stage.get("input", "Pieces")
  const value = () => field().getAttribute("aria-valuenow")
  const key = (name: string) =>
    act(async () => field().dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true })))

  test("goes by keys, presses and typing, never over its bounds", async () => {
    stage = await show(<OwnCount />)
    await stage.press(stage.get("button", "One more"))
    await key("ArrowUp")
    expect(value()).toBe("5")
    await stage.type(field(), "๙９")
    await key("Enter")
    expect(value()).toBe("12")
    await key("Home")
    expect([value(), (stage.get("button", "One less") as HTMLButtonElement).disabled]).toEqual(["1", true])
    await stage.type(field(), "many")
    await key("Enter")
    expect(value()).toBe("1")
  })
})
