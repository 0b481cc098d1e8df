import { useForm } from "react-hook-form"
import { afterEach, expect, test } from "vitest"
import { type Stage, show } from "../../testing/stage.tsx"
import { InviteGroup } from "./InviteGroup.tsx"
import { type RegisterForm, START } from "./registerForm.ts"

let stage: Stage
afterEach(() => stage.leave())

function Group({ locked }: { locked: boolean }) {
  return <InviteGroup form={useForm<RegisterForm>({ defaultValues: START })} locked={locked} />
}

// Nothing on this page says that it is a demo.
test("production names no code that works, and says where one comes from", async () => {
  stage = await show(<Group locked={false} />)
  expect(stage.text()).toContain("Ask the person who invited you for it")
  expect(stage.text()).not.toMatch(/KALOS1|demo/i)
})

test("a code that came with the link says so", async () => {
  stage = await show(<Group locked />)
  expect(stage.text()).toContain("From your invitation link")
})
