import { i18n } from "@lingui/core"
import { beforeAll, expect, test, vi } from "vitest"
import { Refusal, ServerError } from "./api.ts"
import { reasonOf } from "./reasons.ts"
import { formatTime } from "./time.ts"

beforeAll(() => i18n.loadAndActivate({ locale: "en", messages: {} }))

test("a refusal after too many tries says when it ends, however late it is read", () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 22, 4), toFake: ["Date"] })
  const problem = new Refusal(429, "Too many tries", { error: "too_many", retry_after: 300 })
  const end = formatTime(Date.now() + 300_000)
  vi.advanceTimersByTime(60_000)
  expect(reasonOf(problem)).toBe(`Too many tries (until ${end})`)
  vi.useRealTimers()
})

test("any other failure is its own sentence", () => {
  expect(reasonOf(new Refusal(401, "The code is wrong", { error: "wrong_code" }))).toBe("The code is wrong")
  expect(reasonOf(new ServerError("Server error"))).toBe("Server error")
})
