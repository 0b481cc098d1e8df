import { afterEach, expect, test } from "vitest"
import { Refusal } from "../../lib/api.ts"
import { openScene } from "../../testing/scene.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { BetProblem, StakeProblem } from "./BetProblem.tsx"

let stage: Stage
afterEach(() => stage.leave())

const refused = (data: ConstructorParameters<typeof Refusal>[2]) =>
  show(<BetProblem problem={new Refusal(422, "No", data)} option="odd" asset="USDT" />)

test.each([
  ["stake", "No. 2.5 USDT are left to stake today. Play limits"],
  ["loss", "No. Your limit of losses leaves 2.5 USDT to stake. Play limits"],
  ["topup", "No. Above your top-up limit only 2.5 USDT can be staked today. Play limits"],
] as const)("the own limit of %s says what it leaves, and where it is set", async (limit, said) => {
  stage = await refused({ error: "player_limit", limit, left: "2.500000" })
  expect(stage.text()).toBe(said)
  expect(stage.get("a").getAttribute("href")).toBe("/me1?view=limits")
})

test("a coin that the house takes no bets in is said to be closed, not to have a maximum of nothing", async () => {
  const scene = openScene({ maximum: { USDT: "500", KLS: "0" } })
  const choice = { option: "odd", stake: "1", available: "5", room: "0" }
  const shown = (asset: string) =>
    show(<StakeProblem problem="above_maximum" scene={scene} choice={{ ...choice, asset }} />)
  stage = await shown("KLS")
  expect(stage.text()).toBe("In this round the house takes no bets in KLS.")
  await stage.leave()
  stage = await shown("USDT")
  expect(stage.text()).toBe("One member can stake at most 500 USDT.")
})

test("a pause says where its end stands; another refusal leads nowhere", async () => {
  stage = await refused({ error: "self_excluded", until: 1 })
  expect(stage.get("a").getAttribute("href")).toBe("/me1?view=limits")
  await stage.leave()
  stage = await refused({ error: "feature_off" })
  expect(stage.count("a")).toBe(0)
})

test("a bet that came after the close was not staked, and that is said of its round alone", async () => {
  stage = await refused({ error: "round_closed" })
  expect(stage.text()).toBe("The round had closed before your bet came. Nothing was staked.")
})
