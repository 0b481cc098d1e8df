import { expect, test } from "vitest"
import { requestIds } from "./requests.ts"

test("a body that is sent again has its id again, another body one of its own", () => {
  const idOf = requestIds()
  const first = idOf({ address: "a", label: "x" })
  expect(first).toMatch(/^[\w-]{16,64}$/)
  expect(idOf({ address: "a", label: "x" })).toBe(first)
  const other = idOf({ address: "b", label: "x" })
  expect(other).not.toBe(first)
  expect(idOf({ address: "a", label: "x" })).not.toBe(first)
  expect(requestIds()({ address: "b", label: "x" })).not.toBe(other)
})
