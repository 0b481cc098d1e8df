import { expect, test, vi } from "vitest"
import { clearCache } from "./cache.ts"
import { getToken, onSessionEnd, startSession } from "./session.ts"
import { getSettings, setSettings } from "./settings.ts"

test("clearing forgets answers and files and keeps the session and the settings", async () => {
  startSession("token")
  setSettings({ theme: "paper" })
  const forget = vi.fn()
  const unregister = vi.fn(async () => true)
  const kept = new Set(["shell", "fonts"])
  const stop = onSessionEnd(forget)
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

test("a browser without either still forgets the answers", async () => {
  const forget = vi.fn()
  const stop = onSessionEnd(forget)
  vi.stubGlobal("caches", undefined)
  vi.stubGlobal("navigator", {})
  await clearCache()
  expect(forget).toHaveBeenCalledOnce()
  stop()
})
