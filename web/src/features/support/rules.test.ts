import { expect, test } from "vitest"
import { LONGEST_TEXT, linesOf, withDetails } from "./rules.ts"

test("lines come over the wire without control characters", () => {
  expect(linesOf(" Where is it?\r\nI sent 50.\n\n")).toEqual(["Where is it?", "I sent 50."])
})

test("a message keeps its room: details stand below it only where both fit", () => {
  expect(withDetails(" Where? ", "Kalos: 1")).toBe("Where?\n\nKalos: 1")
  const long = "x".repeat(LONGEST_TEXT - 5)
  expect(withDetails(long, "Kalos: 1")).toBe(long)
})
