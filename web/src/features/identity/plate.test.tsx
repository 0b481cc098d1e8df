import { afterEach, expect, test, vi } from "vitest"
import type { InfoAnswer } from "../../lib/api.gen.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { until } from "../../testing/until.ts"
import { Toasts } from "../../ui/Toasts.tsx"
import { IdentityPlate } from "./IdentityPlate.tsx"
import { SecurityMeter } from "./SecurityMeter.tsx"

const INFO = {
  account: "48213957",
  email: "a***e@example.com",
  email_bound: true,
  invite_code: "K7M2X9QD",
  invite_link: "/register?code=K7M2X9QD",
  registered_at: 1_763_740_800_000,
  level: 2,
  vip_level: 3,
  out_password_set: true,
  google_bound: false,
  anti_phishing: null,
} as unknown as InfoAnswer
let stage: Stage

afterEach(async () => {
  await stage.leave()
  vi.unstubAllGlobals()
})

test("the plate has both levels and the code that invites, which is copied exactly", async () => {
  const copied: string[] = []
  const clipboard = { writeText: async (text: string) => void copied.push(text) }
  vi.stubGlobal("navigator", Object.create(navigator, { clipboard: { value: clipboard } }))
  stage = await show(
    <>
      <IdentityPlate info={INFO} />
      <Toasts />
    </>,
  )
  for (const said of ["Level 2", "VIP 3", "K7M2X9QD", "48213957"]) expect(stage.text()).toContain(said)
  await stage.press(stage.get("button", "Copy the invitation code"))
  await until(() => stage.text().includes("copy success"))
  await stage.press(stage.get("button", "Copy the account number"))
  await until(() => copied.length === 2)
  expect(copied).toEqual(["K7M2X9QD", "48213957"])
})

test("the meter says how many checks are met, and which comes next", async () => {
  stage = await show(<SecurityMeter info={INFO} />)
  expect(stage.get("a").getAttribute("href")).toBe("/me1")
  expect(stage.text()).toContain("2 of 4")
  expect(stage.text()).toMatch(/Next: \S/)
  await stage.leave()
  stage = await show(<SecurityMeter info={{ ...INFO, google_bound: true, anti_phishing: "lighthouse" }} />)
  expect(stage.text()).toContain("4 of 4")
  expect(stage.text()).not.toContain("Next:")
})
