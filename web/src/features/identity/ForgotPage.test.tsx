import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { queryClient } from "../../lib/queries.ts"
import { startTexts } from "../../lib/texts.ts"
import { answerWith, done } from "../../testing/answers.ts"
import { loadSlide, SLIDE_SAID, slide } from "../../testing/slide.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { until } from "../../testing/until.ts"
import ForgotPage from "./ForgotPage.tsx"

let stage: Stage

beforeAll(startTexts)
loadSlide()
beforeEach(async () => {
  sessionStorage.clear()
  stage = await show(<ForgotPage />, "/login")
})
afterEach(async () => {
  await stage.leave()
  queryClient.clear()
  vi.unstubAllGlobals()
})

test("a device that the account knows says so, for its own codes and tries", async () => {
  localStorage.setItem("kalos.device", "known")
  const sent: Record<string, unknown> = {}
  answerWith((path, body) => {
    sent[path] = body.device
    return SLIDE_SAID[path] ?? done()
  })
  await stage.type(stage.get("input", "E-mail"), "mine@example.com")
  await stage.press(stage.get("button", "Send code"))
  await slide(stage)
  await until(() => "/api/auth/sendEmail" in sent)
  localStorage.removeItem("kalos.device")
  expect(sent["/api/auth/sendEmail"]).toBe("known")
})

test("a code that isn't mailed is told at the address, which has the focus", async () => {
  const refused = { code: 429, msg: "Too many attempts", data: { error: "too_many", retry_after: 41 } }
  answerWith((path) => SLIDE_SAID[path] ?? (path === "/api/auth/sendEmail" ? refused : done()))
  const email = stage.get("input", "E-mail")
  await stage.type(email, "mine@example.com")
  const button = stage.get("button", "Send code")
  button.focus()
  await stage.press(button)
  await slide(stage)
  await until(() => stage.text().includes("Too many attempts"))
  expect(document.activeElement).toBe(email)
})
