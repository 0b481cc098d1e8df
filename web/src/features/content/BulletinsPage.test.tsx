import { act } from "react"
import { afterEach, expect, test, vi } from "vitest"
import { type HeadingShape, noticesQuery } from "../../lib/bulletins.ts"
import { queryClient } from "../../lib/queries.ts"
import { endSession, startSession } from "../../lib/session.ts"
import { soon } from "../../testing/soon.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import BulletinsPage from "./BulletinsPage.tsx"

let stage: Stage

const notice = (id: number) =>
  ({ id: String(id), kind: "notice", title: `Notice ${id}`, lang: "en", time: id }) as HeadingShape
const come = (...pages: HeadingShape[][]) =>
  act(async () => {
    queryClient.setQueryData(noticesQuery().queryKey, {
      pages: pages.map((list) => ({ list, next: null })),
      pageParams: pages.map(() => ""),
    } as never)
  })

afterEach(async () => {
  await stage.leave()
  endSession()
  queryClient.clear()
  vi.unstubAllGlobals()
})

test("all that are marked as read are those too that come with the next page; a newer one isn't", async () => {
  startSession("token")
  vi.stubGlobal("fetch", () => new Promise(() => {}))
  await come([notice(9), notice(8)])
  stage = await show(<BulletinsPage />, "/bulletin")
  const unread = () => stage.text().match(/Unread/g)?.length ?? 0
  expect(unread()).toBe(3) // both and their tab
  await stage.press(stage.get("button", "Mark all read"))
  await come([notice(9), notice(8)], [notice(7)])
  await soon(() => expect(stage.text()).toContain("Notice 7"))
  expect(unread()).toBe(0)
  await come([notice(10), notice(9)])
  await soon(() => expect(unread()).toBe(2))
})
