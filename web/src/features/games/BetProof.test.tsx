import { act, useState } from "react"
import { afterEach, expect, test } from "vitest"
import type { BetRow, RoundProof } from "../../lib/api.gen.ts"
import { soon } from "../../testing/soon.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { BetProof } from "./BetProof.tsx"

const CLOSED = 1_763_740_800_000
const BET = {
  ...{
    bet_id: "4711",
    round: "odd_even-60-1763740800",
    balance_type: "USDT",
    amount: "50.000000",
    option: "odd",
  },
  ...{ multiple: "1.95", time: CLOSED - 29_877, status: "awaiting_draw", prize: null, proof: null },
  ...{ height: 900, hash: null },
  leaf: "bet2|odd_even-60-1763740800|900|4711|USDT|odd|50.000000|1.95|1763740770123|00ff",
} as unknown as BetRow
const ROUND = {
  ...{ round: BET.round, height: 900, state: "sealed", closes_at: CLOSED, published_at: CLOSED - 64_999 },
  ...{ published_head: 865, block_seconds: 2, margin: 2, result_window: 15, required: 3, void_reason: null },
  ...{ block: null, merkle_root: null },
} as unknown as RoundProof
const DRAWN = {
  ...ROUND,
  block: {
    number: 900,
    hash: `0x${"7".repeat(64)}`,
    parent: `0x${"6".repeat(64)}`,
    time: CLOSED + 6_000,
    digit: 7,
  },
} as unknown as RoundProof

let stage: Stage
let learn: (known: [BetRow, RoundProof]) => void

function Proof() {
  const [[bet, round], setKnown] = useState<[BetRow, RoundProof]>([BET, ROUND])
  learn = setKnown
  return <BetProof bet={bet} round={round} />
}

afterEach(() => stage.leave())

test("what was checked is checked again when more is known of the bet", async () => {
  stage = await show(<Proof />)
  await stage.press(stage.get("button", "Check it yourself"))
  await soon(() => act(async () => expect(stage.text()).toContain("What is known so far agrees.")))
  await act(async () => learn([{ ...BET, status: "won", prize: "1.000000" }, DRAWN]))
  await soon(() => act(async () => expect(stage.text()).toContain("Something does not agree.")))
})
