import { afterEach, expect, test } from "vitest"
import type { ResultRow } from "../../lib/api.gen.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { PreviousRound } from "./PreviousRound.tsx"

const HASH = `0x${"7".repeat(64)}`
const DRAWN = {
  ...{ round: "odd_even-60-1763740800", height: 812, state: "drawn", hash: HASH, digit: 7, outcome: "odd" },
  void_reason: null,
} as unknown as ResultRow

let stage: Stage
afterEach(() => stage.leave())

test.each([
  ["a result", {}, "Previous", "7 · Oddprovisional"],
  ["a late block", { outcome: null, void_reason: "late_block" }, "Previous", "Voidprovisional"],
  [
    "no block",
    { hash: null, digit: null, outcome: null, void_reason: "no_block", state: "void" },
    "Previous",
    "Void",
  ],
  [
    "what isn't known yet",
    { hash: null, digit: null, outcome: null, state: "sealed" },
    "Drawing",
    "Waiting for the block",
  ],
] as const)("the round before says what %s means", async (what, fields, heading, said) => {
  stage = await show(<PreviousRound round={{ ...DRAWN, ...fields } as ResultRow} />)
  expect(stage.get("p:first-of-type").textContent).toBe(`${heading} · block 812`)
  expect(stage.get("[aria-live] > span").textContent).toBe(said)
  expect(stage.count("[role=img]"), "a block that never comes is waited for").toBe(
    what === "no block" ? 0 : 1,
  )
})
