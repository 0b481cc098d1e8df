import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { queryClient } from "../../lib/queries.ts"
import { endSession, startSession } from "../../lib/session.ts"
import { formatTime } from "../../lib/time.ts"
import { answerWith, done } from "../../testing/answers.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { until } from "../../testing/until.ts"
import LogView from "./LogView.tsx"
import SessionsView from "./SessionsView.tsx"

const AT = 1_763_740_800_000
const session = (id: string, device: string, current = false) => {
  return { id, device, current, network: "192.0.2.7", created_at: AT, last_at: AT + 3_600_000 }
}
let stage: Stage
let list = [session("1", "This phone", true), session("2", "A laptop"), session("3", "A tablet")]
let ended: unknown[] = []

beforeEach(() => {
  startSession("token")
  ended = []
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
  answerWith((path, { id }) => {
    if (path === "/api/user/endSession") {
      ended.push(id)
      list = list.filter((one) => one.id !== id)
    }
    if (path === "/api/user/securityLog")
      return done({
        list: [{ id: "9", event: "login", title: "Logged in", time: AT, network: "", device: "" }],
        next: null,
        total: 1,
      })
    return done(path === "/api/user/sessions" ? { list, next: null, total: list.length } : {})
  })
})
afterEach(async () => {
  await stage.leave()
  endSession()
  queryClient.clear()
  vi.unstubAllGlobals()
})

test("one session is ended from its row, and the others stay", async () => {
  stage = await show(<SessionsView />)
  await until(() => stage.text().includes("A laptop"))
  await stage.press(stage.get("button", /^A laptop/))
  await until(() => stage.text().includes("End this session"))
  await stage.press(stage.get("button", "End this session"))
  await until(() => !stage.text().includes("A laptop"))
  expect(ended).toEqual(["2"])
  for (const left of ["This phone", "A tablet"]) expect(stage.text()).toContain(left)
})

test("a line of the log says at what time it was", async () => {
  stage = await show(<LogView />)
  await until(() => stage.text().includes("Logged in"))
  expect(stage.text()).toContain(formatTime(AT))
})
