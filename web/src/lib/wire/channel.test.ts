import { afterEach, expect, test, vi } from "vitest"
import { derive, LOST_WIRE } from "./channel.ts"

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.doUnmock("@hpke/core")
  vi.resetModules()
})

test("no key of a channel can be read out, by whatever runs in the page", async () => {
  const importKey = vi.spyOn(crypto.subtle, "importKey")
  const channel = await derive(new Uint8Array(32), new Uint8Array(32), "sid")
  const keys = await Promise.all(importKey.mock.results.map(({ value }) => value as Promise<CryptoKey>))
  expect(keys.map(({ usages }) => usages)).toEqual([["deriveBits"], ["sign"], ["encrypt"], ["decrypt"]])
  expect(keys.map(({ extractable }) => extractable)).toEqual([false, false, false, false])
  expect(channel.signingKey).toBe(keys[1])
  for (const key of keys) await expect(crypto.subtle.exportKey("raw", key)).rejects.toThrow()
})

test("what the keys follow from is wiped once they are made", async () => {
  const deriveBits = vi.spyOn(crypto.subtle, "deriveBits")
  await derive(new Uint8Array(32), new Uint8Array(32), "sid")
  const bits = new Uint8Array((await deriveBits.mock.results[0]?.value) as ArrayBuffer)
  expect(bits).toHaveLength(96)
  expect(bits.every((byte) => byte === 0)).toBe(true)
})

const lost = () => {
  throw new TypeError("reset")
}

test.each([
  ["doesn't come", lost],
  ["is still on its way after twenty seconds", () => new Promise(() => undefined)],
])("where the code that opens a channel %s the page is told, and a call fails", async (_what, load) => {
  const told = vi.fn()
  vi.stubGlobal("dispatchEvent", ({ type }: Event) => told(type))
  const patience = new AbortController()
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(patience.signal)
  vi.doMock("@hpke/core", load as () => object)
  vi.resetModules()
  const { sealHello } = await import("./channel.ts")
  const failed = expect(
    sealHello(new Uint8Array(65), new Uint8Array(32), { kid: "first", origin: "https://kalos.example" }),
  ).rejects.toBeDefined()
  expect(timeout.mock.calls).toEqual([[20_000]])
  if (load !== lost) {
    expect(told).not.toHaveBeenCalled()
    patience.abort()
  }
  await failed
  expect(told.mock.calls).toEqual([[LOST_WIRE]])
})
