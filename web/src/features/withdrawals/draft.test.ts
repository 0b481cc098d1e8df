// @vitest-environment document
import { afterEach, beforeEach, expect, test } from "vitest"
import { endSession, startSession } from "../../lib/session.ts"
import { draftOf, endDrafts, keptDraft } from "./draft.ts"

beforeEach(() => startSession("one"))
afterEach(() => endSession())

test("what was typed is found again, for its own coin alone", () => {
  const draft = keptDraft("USDT", "500")
  expect([draftOf(draft, "USDT"), draftOf(draft, "KLS"), draftOf(undefined, "USDT")]).toEqual(["500", "", ""])
})

test("another member finds nothing of it on this device", async () => {
  const draft = keptDraft("USDT", "500")
  await endSession()
  expect(draftOf(draft, "USDT")).toBe("")
  startSession("another")
  expect(draftOf(draft, "USDT")).toBe("")
})

test("after a withdrawal nothing of it is left", () => {
  const draft = keptDraft("USDT", "500")
  endDrafts()
  expect(draftOf(draft, "USDT")).toBe("")
  expect(draftOf(keptDraft("USDT", "600"), "USDT")).toBe("600")
})
