// @vitest-environment document
import { expect, test, vi } from "vitest"
import { soon } from "../testing/soon.ts"
import { clearCache } from "./cache.ts"
import { Payment } from "./payment.ts"
import { isRead, markRead } from "./readMarks.ts"
import { findReceipt, keepReceipt, type Receipt } from "./receipts.ts"
import { getToken, onForget, onSessionEnd, startSession } from "./session.ts"
import { getSettings, setSettings } from "./settings.ts"

test("clearing forgets answers and files and keeps the session and the settings", async () => {
  startSession("token")
  setSettings({ theme: "paper" })
  const forget = vi.fn()
  const unregister = vi.fn(async () => true)
  const kept = new Set(["shell", "fonts"])
  const stop = onForget(forget)
  vi.stubGlobal("caches", { keys: async () => [...kept], delete: async (name: string) => kept.delete(name) })
  vi.stubGlobal("navigator", { serviceWorker: { getRegistrations: async () => [{ unregister }] } })
  await clearCache()
  expect(forget).toHaveBeenCalledOnce()
  expect(unregister).toHaveBeenCalledOnce()
  expect([...kept]).toEqual([])
  expect(getToken()).toBe("token")
  expect(getSettings().theme).toBe("paper")
  stop()
})

test("clearing ends no payment, and leaves receipts and read marks", async () => {
  vi.stubGlobal("navigator", {})
  startSession("token")
  const ended = vi.fn()
  const stop = onSessionEnd(ended)
  keepReceipt({ id: "7" } as Receipt)
  markRead("3")
  const call = () => Promise.reject(new Error("no answer"))
  const payment = new Payment("transfer", call, { waits: [] })
  payment.review({ amount: "50" })
  payment.confirm()
  await soon(() => expect(payment.read().unanswered).toBe(true))
  await clearCache()
  expect(payment.read()).toMatchObject({ step: "checking", order: { amount: "50" } })
  expect(new Payment("transfer", call).read()).toMatchObject({ step: "checking", order: { amount: "50" } })
  const mark = isRead({ id: "3", kind: "notice", time: 1 })
  expect([findReceipt("7")?.id, mark, ended.mock.calls.length]).toEqual(["7", true, 0])
  stop()
})

test("a browser without either still forgets the answers", async () => {
  const forget = vi.fn()
  const stop = onForget(forget)
  vi.stubGlobal("caches", undefined)
  vi.stubGlobal("navigator", {})
  await clearCache()
  expect(forget).toHaveBeenCalledOnce()
  stop()
})
