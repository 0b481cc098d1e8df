import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { queryClient } from "../../lib/queries.ts"
import { startTexts } from "../../lib/texts.ts"
import { answerWith, done } from "../../testing/answers.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { until } from "../../testing/until.ts"
import TopUpPage from "./TopUpPage.tsx"

const HASH = "ab".repeat(32)
let stage: Stage

const part = (name: string) => stage.press(stage.get("label:has([type=radio])", name))
const field = () => stage.get("input", "Transaction hash") as HTMLInputElement

beforeAll(startTexts)
beforeEach(async () => {
  answerWith((path) => done(path === "/api/dapp/rechargeList" ? { list: [] } : {}))
  const answers = fetch
  // Nothing pushes here; the server is there all the same.
  vi.stubGlobal("fetch", async (url: string, request: RequestInit) =>
    url === "/healthz" ? new Response("ok") : answers(url, request),
  )
  stage = await show(<TopUpPage />, "/node3?tab=hash")
})
afterEach(async () => {
  await stage.leave()
  queryClient.clear()
  vi.unstubAllGlobals()
})

test("a hash that was typed waits while the records are looked at, and goes once it was found", async () => {
  await stage.type(field(), HASH)
  await part("Records")
  expect(stage.count("input[type=text]")).toBe(0)
  await part("Submit hash")
  expect(field().value).toBe(HASH)
  await stage.press(stage.get("button", "Submit hash"))
  await until(() => stage.router.state.location.search.tab === "records")
  await part("Submit hash")
  expect(field().value).toBe("")
})
