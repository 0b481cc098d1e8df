import { act } from "react"
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { answerWith, done, type Said } from "../testing/answers.ts"
import { type Stage, show } from "../testing/stage.tsx"
import { until } from "../testing/until.ts"
import { SecondFactorField } from "../ui/SecondFactorField.tsx"
import { Refusal } from "./api.ts"
import { queryClient } from "./queries.ts"
import { type SecondFactor, useSecondFactor } from "./secondFactor.ts"
import { startSession } from "./session.ts"
import { startTexts } from "./texts.ts"

let stage: Stage
let factor: SecondFactor
let bound: boolean
let email: string
let only: "email" | undefined
let mailed: Said

function Step() {
  factor = useSecondFactor("password", {}, only)
  return <SecondFactorField factor={factor} />
}

beforeAll(startTexts)
beforeEach(() => {
  email = "a***e@example.com"
  only = undefined
  answerWith((path) => (path.endsWith("/info") ? done({ email, google_bound: bound }) : mailed))
  sessionStorage.clear()
  startSession("a")
})
afterEach(async () => {
  await stage.leave()
  queryClient.clear()
  vi.unstubAllGlobals()
})

test("who has an authenticator types its code, in whatever digits and groups, and is sent no mail", async () => {
  bound = true
  stage = await show(<Step />)
  await until(() => stage.count("input") === 1)
  expect(stage.count("button")).toBe(0)
  await stage.type(stage.get("input", "Code from the authenticator"), "４９２ 039")
  expect([factor.complete, factor.codes]).toEqual([true, { google_code: "492039" }])
})

test("anybody else has a code mailed for this step, and the next one a minute later", async () => {
  bound = false
  mailed = done()
  stage = await show(<Step />)
  await until(() => stage.count("input") === 1)
  await stage.press(stage.get("button", "Send code"))
  await until(() => factor.sent)
  expect(stage.text()).toContain("Sent to a***e@example.com")
  expect(stage.get("button").textContent).toMatch(/Send again in (60|59) s/)
  await stage.type(stage.get("input", "Code from the e-mail"), "40291")
  expect(factor.complete).toBe(false)
  await stage.type(stage.get("input", "Code from the e-mail"), "402913")
  expect([factor.complete, factor.codes]).toEqual([true, { email_code: "402913" }])
})

test("a step that asks everybody for a mailed code asks who has an authenticator too", async () => {
  bound = true
  only = "email"
  stage = await show(<Step />)
  await until(() => stage.count("input") === 1)
  await stage.type(stage.get("input", "Code from the e-mail"), "402913")
  expect(factor.codes).toEqual({ email_code: "402913" })
})

test("who has no e-mail is led to where one is bound", async () => {
  bound = false
  email = ""
  stage = await show(<Step />)
  await until(() => stage.count("a") === 1)
  expect([stage.get("a").getAttribute("href"), stage.count("input")]).toEqual(["/me1?view=email", 0])
})

test("what was wrong with the code stands at it until another is typed; other refusals aren't about it", async () => {
  bound = true
  stage = await show(<Step />)
  await until(() => stage.count("input") === 1)
  await stage.type(stage.get("input"), "111111")
  await act(async () => {
    expect(factor.refused(new Refusal(422, "no", { error: "wrong_state" }))).toBe(false)
    expect(factor.refused(new Refusal(401, "The code is wrong", { error: "wrong_code" }))).toBe(true)
  })
  expect([stage.text(), factor.code]).toEqual([expect.stringContaining("The code is wrong"), ""])
  await stage.type(stage.get("input"), "2")
  expect(stage.text()).not.toContain("wrong")
})

test("a mail that is refused says why at the field, and the button waits as long as it was told", async () => {
  bound = false
  mailed = { code: 429, msg: "Too many tries, please wait", data: { error: "too_many", retry_after: 30 } }
  stage = await show(<Step />)
  await until(() => stage.count("input") === 1)
  await stage.press(stage.get("button", "Send code"))
  await until(() => stage.text().includes("Too many tries"))
  expect(factor.sent).toBe(false)
  expect(stage.get("button", /^Send again in (30|29) s$/).hasAttribute("disabled")).toBe(true)
})
