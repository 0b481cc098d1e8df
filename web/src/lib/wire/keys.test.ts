import { expect, test } from "vitest"
import { keyOfPage } from "./keys.ts"

const row = { kid: "a", kem: 16, kdf: 1, aead: 2, pk: btoa("point") }
const page = (keys: object[], server_time = 1000) => JSON.stringify({ keys, server_time })

test("the newest key of our suite is taken", () => {
  const keys = [{ ...row, kid: "of another suite", aead: 3 }, row, { ...row, kid: "older" }]
  expect(keyOfPage(page(keys), 1000)?.kid).toBe("a")
})

test("a page older than a day has no key, nor has one without the tag", () => {
  expect(keyOfPage(page([row]), 1000 + 86_400)?.kid).toBe("a")
  expect(keyOfPage(page([row]), 1001 + 86_400)).toBeNull()
  expect(keyOfPage(undefined, 1000)).toBeNull()
  expect(keyOfPage("", 1000)).toBeNull()
  expect(keyOfPage(page([]), 1000)).toBeNull()
})
