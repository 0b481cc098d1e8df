import { afterEach, expect, test, vi } from "vitest"
import { derive } from "./channel.ts"

afterEach(() => vi.restoreAllMocks())

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
