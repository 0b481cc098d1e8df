import { act } from "react"
import { useForm } from "react-hook-form"
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { soon } from "../testing/soon.ts"
import { type Stage, show } from "../testing/stage.tsx"
import { CheckedForm } from "./CheckedForm.tsx"
import { Field } from "./Field.tsx"

const ORDER = ["name", "password", "code"] as const
const sent = vi.fn()

function OwnForm() {
  const form = useForm({ shouldFocusError: false, defaultValues: { name: "", password: "", code: "" } })
  return (
    <CheckedForm form={form} order={ORDER} onSubmit={sent}>
      {ORDER.map((name) => (
        <Field
          key={name}
          label={name}
          error={form.formState.errors[name]?.message}
          {...form.register(name, { required: `Enter your ${name}` })}
        />
      ))}
      <button type="submit">Send</button>
    </CheckedForm>
  )
}

let stage: Stage
// It comes with the first mistakes.
beforeAll(() => import("./FormSummary.tsx"))
beforeEach(async () => {
  sent.mockClear()
  stage = await show(<OwnForm />)
})
afterEach(() => stage.leave())

const send = () => stage.press(stage.get("button", "Send"))
const fill = (name: string) => stage.type(stage.get("input", name), "x")
const focused = () => document.activeElement
const summary = () => soon(() => stage.get("section[tabindex]"))

test("with several mistakes the focus goes to a summary that names each and leads to its field", async () => {
  await send()
  const box = await act(summary)
  expect(focused()).toBe(box)
  expect([...box.querySelectorAll("li")].map((one) => one.textContent)).toEqual([
    "Enter your name",
    "Enter your password",
    "Enter your code",
  ])
  await stage.press(stage.get("li button", "Enter your password"))
  await soon(() => expect(focused()).toBe(stage.get("input", "password")))
  await send()
  expect(focused()).toBe(await act(summary))
  expect(sent).not.toHaveBeenCalled()
})

test("with one mistake the focus goes to its field, and nothing is summed up", async () => {
  await fill("name")
  await fill("password")
  await send()
  await soon(() => expect(focused()).toBe(stage.get("input", "code")))
  expect(stage.count("section[tabindex]")).toBe(0)
})

test("without a mistake it is sent", async () => {
  for (const name of ORDER) await fill(name)
  await send()
  expect(sent).toHaveBeenCalledWith({ name: "x", password: "x", code: "x" })
})
