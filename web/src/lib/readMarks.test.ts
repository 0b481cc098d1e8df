// @vitest-environment document
import { beforeEach, expect, test, vi } from "vitest"

// A fresh module is a page that was loaded again.
const load = async () => {
  vi.resetModules()
  return { ...(await import("./readMarks.ts")), ...(await import("./session.ts")) }
}

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem("kalos.token", "token")
})

test("what was read stays read when the page is loaded again", async () => {
  const { markRead } = await load()
  markRead(["1", "2"])
  expect([...(await load()).getRead()]).toEqual(["1", "2"])
})

test("the newest two hundred marks are kept", async () => {
  const { markRead, getRead } = await load()
  markRead(Array.from({ length: 200 }, (_, index) => String(index)))
  markRead(["0", "200"])
  expect(getRead().size).toBe(200)
  expect([getRead().has("0"), getRead().has("1"), getRead().has("200")]).toEqual([true, false, true])
})

test("the end of the session takes the marks along", async () => {
  const { markRead, getRead, startSession, endSession } = await load()
  startSession("a token")
  markRead(["1"])
  void endSession()
  expect(getRead().size).toBe(0)
  expect(localStorage.getItem("kalos.read")).toBeNull()
})

test.each(["{", "null", '{"a":1}', "[1,null]"])("a broken store %j is an empty one", async (stored) => {
  localStorage.setItem("kalos.read", stored)
  expect((await load()).getRead().size).toBe(0)
})

test("another tab's marks count here", async () => {
  const { getRead } = await load()
  localStorage.setItem("kalos.read", '["9"]')
  dispatchEvent(new StorageEvent("storage", { key: "kalos.read" }))
  expect([...getRead()]).toEqual(["9"])
})
