// @vitest-environment document
import { beforeEach, expect, test, vi } from "vitest"

// A fresh module is a page that was loaded again.
const load = async () => {
  vi.resetModules()
  return { ...(await import("./readMarks.ts")), ...(await import("./session.ts")) }
}
const notice = (id: string, time = 1) => ({ id, kind: "notice" as const, time })

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem("kalos.token", "token")
})

test("what was read stays read when the page is loaded again", async () => {
  const { markRead } = await load()
  markRead("1")
  const { isRead } = await load()
  expect([isRead(notice("1")), isRead(notice("2"))]).toEqual([true, false])
})

test("all that are told as read are so up to that time, loaded or not, and none of the other kind", async () => {
  const { markAllRead } = await load()
  markAllRead("notice", 100)
  const { isRead } = await load()
  expect(["notice", "news"].map((kind) => isRead({ id: "1", kind: kind as "news", time: 100 }))).toEqual([
    true,
    false,
  ])
  expect(isRead(notice("2", 101))).toBe(false)
})

test("the newest two hundred marks are kept", async () => {
  const { markRead, isRead } = await load()
  for (let id = 0; id <= 200; id++) markRead(String(id))
  expect(["0", "1", "200"].map((id) => isRead(notice(id)))).toEqual([false, true, true])
})

test("the end of the session takes the marks along", async () => {
  const { markRead, markAllRead, isRead, startSession, endSession } = await load()
  startSession("a token")
  markRead("1")
  markAllRead("notice", 5)
  void endSession()
  expect([isRead(notice("1", 9)), isRead(notice("2", 5))]).toEqual([false, false])
  expect(localStorage.getItem("kalos.read")).toBeNull()
})

test.each(["{", "null", '{"a":1}', "[1,null]", '{"ids":7,"until":{"notice":"x"}}'])(
  "a broken store %j is an empty one",
  async (stored) => {
    localStorage.setItem("kalos.read", stored)
    const { isRead, markRead } = await load()
    expect(isRead(notice("1"))).toBe(false)
    markRead("1")
    expect(isRead(notice("1"))).toBe(true)
  },
)

test.each(['["9"]', '{"ids":["9"],"until":{}}', '{"ids":[],"until":{"notice":1}}'])(
  "another tab's marks count here, also those of before: %s",
  async (stored) => {
    const { isRead } = await load()
    localStorage.setItem("kalos.read", stored)
    dispatchEvent(new StorageEvent("storage", { key: "kalos.read" }))
    expect(isRead(notice("9"))).toBe(true)
  },
)
