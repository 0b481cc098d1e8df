import { act } from "react"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { type Stage, show } from "../testing/stage.tsx"
import { Refusal } from "./api.ts"
import { useResend } from "./resend.ts"

let stage: Stage
let resend: ReturnType<typeof useResend>

function Asker() {
  resend = useResend()
  return null
}

/** As after a reload of the page. */
async function anew(): Promise<void> {
  stage.leave()
  stage = await show(<Asker />)
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 1_763_740_800_000 })
  sessionStorage.clear()
  stage = await show(<Asker />)
})
afterEach(() => {
  stage.leave()
  vi.useRealTimers()
})

test("a reload forgets neither where a code went nor how long the next one waits", async () => {
  act(() => resend.start("me@example.com"))
  expect(resend.seconds).toBe(60)
  vi.setSystemTime(Date.now() + 20_000)
  await anew()
  expect([resend.email, resend.waiting, resend.seconds]).toEqual(["me@example.com", "me@example.com", 40])
  vi.setSystemTime(Date.now() + 40_000)
  await anew()
  expect([resend.email, resend.seconds]).toEqual(["me@example.com", 0])
})

test("who was refused waits as long as was said, and the code that went elsewhere stays there", async () => {
  act(() => resend.start("me@example.com"))
  const refused = new Refusal(429, "Too many tries", { error: "too_many", retry_after: 300 })
  act(() => resend.refused("you@example.com", refused))
  await anew()
  expect([resend.email, resend.waiting, resend.seconds]).toEqual(["me@example.com", "you@example.com", 300])
  act(() => resend.refused("me@example.com", new Error("lost")))
  expect(resend.waiting).toBe("you@example.com")
})

test.each(["", "{", "null", '{"email":1,"waiting":"","gap":1}', '{"email":"a","waiting":"b","gap":-1}'])(
  "what a store holds that is none of it (%s) makes nobody wait",
  async (kept) => {
    sessionStorage.setItem("kalos.codeSent", kept)
    await anew()
    expect([resend.email, resend.seconds]).toEqual(["", 0])
  },
)
