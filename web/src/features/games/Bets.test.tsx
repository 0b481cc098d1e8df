import { act } from "react"
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import type { BetRow } from "../../lib/api.gen.ts"
import { queryClient } from "../../lib/queries.ts"
import { endSession, startSession } from "../../lib/session.ts"
import { soon } from "../../testing/soon.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { Bets } from "./Bets.tsx"
import { betsQuery } from "./queries.ts"
import type { BetStatus } from "./search.ts"

const BET = {
  ...{ bet_id: "7", scene_id: "1", game: "odd_even", round: "eth-1-1800", height: 100, option: "odd" },
  ...{ balance_type: "USDT", amount: "10.000000", multiple: "1.95", profit: "0.95", status: "awaiting_draw" },
  ...{ prize: null, tie: false, hash: null, digit: null, time: 1, leaf: "", proof: null },
} as BetRow
let stage: Stage

const answer = (status: BetStatus | undefined, ...list: BetRow[]) =>
  act(async () => {
    queryClient.setQueryData(betsQuery("odd_even", status).queryKey, {
      pages: [{ list }],
      pageParams: [1],
    } as never)
  })

beforeAll(() => import("../../ui/SheetPanel.tsx"))
beforeEach(() => {
  startSession("token")
  vi.stubGlobal("fetch", () => new Promise(() => {}))
})
afterEach(async () => {
  await stage.leave()
  endSession()
  queryClient.clear()
  vi.unstubAllGlobals()
})

test("an opened bet that is drawn leaves its list, not the eyes of who waits for it", async () => {
  await answer("awaiting_draw", BET)
  stage = await show(<Bets game="odd_even" status="awaiting_draw" onStatus={() => undefined} />)
  await stage.press(stage.get("button", /10/))
  const dialog = () => stage.get("[role=dialog]").textContent
  await soon(() => act(async () => expect(dialog()).toContain("Awaiting")))
  await answer("awaiting_draw")
  expect(dialog()).toContain("Awaiting")
  await answer(undefined, { ...BET, status: "won", digit: 7, prize: "19.500000" })
  await soon(() => act(async () => expect(dialog()).toContain("Won")))
})

test("where no bet is in a state, one press shows all states again", async () => {
  const onStatus = vi.fn()
  await answer("won")
  stage = await show(<Bets game="odd_even" status="won" onStatus={onStatus} />)
  await stage.press(stage.get("button", "Show everything"))
  expect(onStatus.mock.calls).toEqual([[undefined]])
})
