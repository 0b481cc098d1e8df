import { afterEach, expect, test } from "vitest"
import type { RoundProof } from "../../lib/api.gen.ts"
import { formatLocal, formatUtc } from "../../lib/time.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { RoundFacts } from "./RoundFacts.tsx"

const AT = Date.UTC(2026, 10, 26, 10, 5, 9)
const round = {
  round: "odd_even-60-1795075260",
  height: 812,
  block: { hash: `0x${"ab".repeat(32)}`, time: AT },
  published_at: AT - 60_000,
  closes_at: AT - 30_000,
  bet_count: 2,
  provisional: false,
  required: 3,
  merkle_root: null,
  explorer: null,
} as unknown as RoundProof

let stage: Stage
afterEach(() => stage.leave())

test("each time says its zone: the block's stands in UTC besides the local one, the others are local", async () => {
  stage = await show(<RoundFacts round={round} />)
  const text = stage.text()
  expect(text).toContain(`Block time${formatLocal(AT)}${formatUtc(AT)}`)
  expect(text).toContain(`Block fixed${formatLocal(AT - 60_000)}`)
  expect(text).toContain(`Closed${formatLocal(AT - 30_000)}`)
  expect(text.match(/UTC/g)).toHaveLength(4)
})
