import { QueryClient } from "@tanstack/react-query"
import { expect, onTestFinished, test, vi } from "vitest"
import { begin } from "./fresh.ts"

const globals = globalThis as { left?: string }

test("a file has a document, stores and an address of its own", async () => {
  const [end, heard] = [await begin({ hasDocument: true }), vi.fn()]
  const [before, page] = [document, () => [document.title, localStorage.length, location.pathname]]
  addEventListener("left", heard)
  document.title = "left"
  localStorage.setItem("left", "1")
  history.pushState({}, "", "/left")
  expect(page()).toEqual(["left", 1, "/left"])
  await end()
  const endNext = await begin({ hasDocument: true })
  dispatchEvent(new Event("left"))
  expect(document).not.toBe(before)
  expect(page()).toEqual(["", 0, "/"])
  expect(heard).not.toHaveBeenCalled()
  await endNext()
  expect(typeof document).toBe("undefined")
})

test("a file runs our modules and the texts anew", async () => {
  const run = async () => [(await import("../lib/money.ts")).formatCount, (await import("@lingui/core")).i18n]
  const before = await run()
  expect((await run()).map((is, at) => is === before[at])).toEqual([true, true])
  const end = await begin({ hasDocument: false })
  expect((await run()).map((is, at) => is === before[at])).toEqual([false, false])
  await end()
})

test("what a file stubs, sets, or holds of the time ends with it", async () => {
  const [before, end] = [[fetch, WebSocket, setTimeout, setInterval], await begin({ hasDocument: false })]
  vi.stubGlobal("fetch", "left")
  vi.stubEnv("LEFT", "1")
  globalThis.WebSocket = Date as never
  globals.left = "1"
  vi.stubGlobal("left", "2")
  vi.useFakeTimers()
  await end()
  vi.unstubAllGlobals()
  expect([fetch, WebSocket, setTimeout, setInterval]).toEqual(before)
  expect([globals.left, import.meta.env.LEFT, vi.isFakeTimers()]).toEqual([undefined, undefined, false])
})

test("no timer of a file outlasts it", async () => {
  const end = await begin({ hasDocument: false })
  // Not due before the file's end, however slow the machine is.
  const timers = [setTimeout(vi.fn(), 60_000), setInterval(vi.fn(), 60_000)] as unknown as {
    _destroyed: boolean
  }[]
  expect(timers.map((timer) => timer._destroyed)).toEqual([false, false])
  await end()
  expect(timers.map((timer) => timer._destroyed)).toEqual([true, true])
})

test("what a file seals and waits for no longer has ended with it", async () => {
  const [end, late] = [await begin({ hasDocument: false }), vi.fn()]
  const seal = async () => {
    const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt"])
    for (let part = 0; part < 20; part += 1)
      await crypto.subtle.encrypt({ name: "AES-GCM", iv: new Uint8Array(12) }, key, new Uint8Array(100_000))
    late()
  }
  void seal()
  await end()
  expect(late).toHaveBeenCalled()
})

test("a file that leaves a global which can't be put back fails", async () => {
  const end = await begin({ hasDocument: false })
  globals.left = "1"
  vi.spyOn(Reflect, "deleteProperty").mockReturnValue(false)
  await expect(end()).rejects.toThrow("globals that can't be put back: expected [ 'left' ]")
})

test("a file that leaves a query client mounted fails", async () => {
  const [client, end] = [new QueryClient(), await begin({ hasDocument: false })]
  client.mount()
  onTestFinished(() => client.unmount())
  await expect(end()).rejects.toThrow("a query client is still mounted")
})
