import { act } from "react"
import { afterEach, beforeAll, expect, test } from "vitest"
import type { ResultRow, RoundProof } from "../../lib/api.gen.ts"
import { queryClient } from "../../lib/queries.ts"
import { soon } from "../../testing/soon.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { useSheet } from "../../ui/Sheet.tsx"
import { roundQuery } from "./queries.ts"
import { RoundSheet } from "./RoundSheet.tsx"

const T = Date.UTC(2026, 10, 26, 10, 5)
const ROW = { round: `odd_even-60-${T / 1000}`, height: 812, state: "drawn" } as unknown as ResultRow
const PROOF = {
  ...{
    round: ROW.round,
    height: 812,
    state: "drawn",
    void_reason: "late_block",
    provisional: true,
    required: 3,
  },
  ...{ block: { hash: `0x${"7".repeat(64)}`, parent: `0x${"6".repeat(64)}`, time: T + 40_000 } },
  ...{ published_at: T - 60_000, published_head: 700, closes_at: T, block_seconds: 12, margin: 4 },
  ...{ result_window: 15, bet_count: 0, merkle_root: null, explorer: null, digit: 7, outcome: null },
} as unknown as RoundProof

let stage: Stage
beforeAll(() => import("../../ui/SheetPanel.tsx"))
afterEach(async () => {
  await stage.leave()
  queryClient.clear()
})

function Opened() {
  const sheet = useSheet("round")
  return (
    <>
      <button type="button" onClick={sheet.show}>
        Open
      </button>
      <RoundSheet round={ROW} />
    </>
  )
}

test("that stakes went back is said once they have, not of a late block that may still be another one", async () => {
  const store = (state: RoundProof["state"]) =>
    act(async () => queryClient.setQueryData(roundQuery(ROW.round).queryKey, { ...PROOF, state } as never))
  await store("drawn")
  stage = await show(<Opened />)
  await stage.press(stage.get("button", "Open"))
  const dialog = () => stage.get("[role=dialog]").textContent
  await soon(() => act(async () => expect(dialog()).toContain("Checked on this device")))
  expect(dialog()).not.toContain("All stakes went back")
  await store("void")
  await soon(() => act(async () => expect(dialog()).toContain("All stakes went back")))
})
