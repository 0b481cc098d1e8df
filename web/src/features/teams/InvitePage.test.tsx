import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { infoQuery, queryClient } from "../../lib/queries.ts"
import { endSession, startSession } from "../../lib/session.ts"
import { soon } from "../../testing/soon.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import InvitePage from "./InvitePage.tsx"

let stage: Stage
const shared = vi.fn(async () => undefined)

beforeEach(() => {
  startSession("token")
  vi.stubGlobal("fetch", () => new Promise(() => {}))
  vi.stubGlobal("navigator", Object.assign(Object.create(navigator), { share: shared }))
  const link = "https://kalos.example/register?code=KALOS123"
  queryClient.setQueryData(infoQuery().queryKey, {
    account: "10000002",
    invite_code: "KALOS123",
    invite_link: link,
    balances: [],
  } as never)
})
afterEach(async () => {
  await stage.leave()
  endSession()
  queryClient.clear()
  vi.unstubAllGlobals()
})

test("where no poster can be drawn the link is shared, and the page says so", async () => {
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null)
  stage = await show(<InvitePage />)
  await soon(() => expect(stage.text()).toContain("share the link instead"))
  expect(stage.count("[aria-busy=true]")).toBe(0)
  expect(stage.text()).not.toContain("Save image")
  await stage.press(stage.get("button", "Share"))
  expect(shared).toHaveBeenCalledWith({ url: "https://kalos.example/register?code=KALOS123" })
  vi.restoreAllMocks()
})
