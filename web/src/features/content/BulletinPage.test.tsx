import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { bulletinQuery } from "../../lib/bulletins.ts"
import { queryClient } from "../../lib/queries.ts"
import { endSession, startSession } from "../../lib/session.ts"
import { setSettings } from "../../lib/settings.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import BulletinPage from "./BulletinPage.tsx"

let stage: Stage

beforeEach(() => {
  startSession("token")
  vi.stubGlobal("fetch", () => new Promise(() => {}))
})
afterEach(async () => {
  await stage.leave()
  setSettings({ language: "en" })
  endSession()
  queryClient.clear()
  vi.unstubAllGlobals()
})

test.each([
  ["ja", "en", true],
  ["ja", "ja", false],
  ["en", "en", false],
] as const)(
  "who reads in %s a bulletin in %s is told that there is no other text: %s",
  async (language, lang, told) => {
    setSettings({ language })
    queryClient.setQueryData(bulletinQuery(7).queryKey, {
      ...{ id: "7", kind: "notice", title: "Fees", summary: "", lang, pinned: false, time: 1 },
      ...{ picture: null, blocks: [], related: [] },
    })
    stage = await show(<BulletinPage />, "/bulletin-detail?id=7")
    expect(stage.get("article h2").textContent).toBe("Fees")
    expect(stage.get("article").getAttribute("lang")).toBe(lang)
    expect(stage.text().includes("There is no text in your language yet")).toBe(told)
  },
)
