import { expect, test } from "vitest"
import { queryClient } from "./queries.ts"
import { setSettings } from "./settings.ts"

const isStale = () => queryClient.getQueryState(["texts"])?.isInvalidated

test("another language asks anew for what the server said, another theme doesn't", () => {
  queryClient.setQueryData(["texts"], "Hello")
  setSettings({ theme: "paper" })
  expect(isStale()).toBe(false)
  setSettings({ language: "vn" })
  expect(isStale()).toBe(true)
})
