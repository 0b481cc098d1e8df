// @vitest-environment document
import { expect, test } from "vitest"
import { getSettings, setSettings } from "./settings.ts"
import { countVisit, mayOffer, putAway } from "./visits.ts"

test("two looks within half an hour are one visit, and a clock that was set back begins another", async () => {
  setSettings({ install: { visits: 0, seen: 0, away: 0 } })
  for (const [minutes, visits] of [
    [100, 1],
    [129, 1],
    [158, 1],
    [189, 2],
    [50, 3],
  ] as const) {
    countVisit(minutes * 60_000)
    expect(getSettings().install.visits).toBe(visits)
  }
})

test("the offer comes at the second visit, where there is a way, and stays away for thirty days", async () => {
  const day = 86_400_000
  const now = 1_763_740_800_000
  const visited = { visits: 2, seen: now, away: 0 }
  expect(mayOffer({ ...visited, visits: 1 }, "offered", now)).toBe(false)
  const states = ["offered", "ios", "menu", "app", "installed"] as const
  expect(states.filter((state) => mayOffer(visited, state, now))).toEqual(["offered", "ios"])
  setSettings({ install: visited })
  putAway(now)
  const { install } = getSettings()
  expect([29, 31].map((days) => mayOffer(install, "ios", now + days * day))).toEqual([false, true])
})
