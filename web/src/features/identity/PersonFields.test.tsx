import { act } from "react"
import { type UseFormReturn, useForm } from "react-hook-form"
import { afterEach, expect, test } from "vitest"
import { type Stage, show } from "../../testing/stage.tsx"
import PersonFields from "./PersonFields.tsx"
import { type RegisterForm, START } from "./registerForm.ts"

let stage: Stage
let form: UseFormReturn<RegisterForm>
afterEach(() => stage.leave())

function Fields() {
  form = useForm<RegisterForm>({ defaultValues: START })
  return <PersonFields form={form} />
}

// Nothing on this page says that it is a demo.
test("production asks for country and birth date", async () => {
  stage = await show(<Fields />)
  expect(stage.text()).not.toContain("optional")
  let valid: boolean | undefined
  await act(async () => {
    valid = await form.trigger(["country", "birth_date"])
  })
  expect(valid).toBe(false)
  expect(stage.text().match(/This is needed/g)).toHaveLength(2)
  expect(stage.get("select", "Country").getAttribute("aria-invalid")).toBe("true")
})
