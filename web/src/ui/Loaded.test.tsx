import { act, useState } from "react"
import { afterEach, describe, expect, test, vi } from "vitest"
import { Refusal } from "../lib/api.ts"
import { holdClock, pass } from "../testing/clock.ts"
import { type Stage, show } from "../testing/stage.tsx"
import { type Loadable, Loaded } from "./Loaded.tsx"

let stage: Stage
holdClock()
afterEach(() => stage.leave())

const loaded = (of: Loadable<string>) => (
  <Loaded query={of} skeleton={<i />} empty={{ when: (data) => data === "", show: <b>nothing</b> }}>
    {(data) => <p>{data}</p>}
  </Loaded>
)

let change: (of: Loadable<string>) => void

/** One query after the other in the same place. */
function Changing({ first }: { first: Loadable<string> }) {
  const [of, set] = useState(first)
  change = set
  return loaded(of)
}

describe("Loaded", () => {
  const query = (part: Partial<Loadable<string>>): Loadable<string> => ({
    data: undefined,
    error: null,
    isFetching: false,
    dataUpdatedAt: 0,
    refetch: vi.fn(),
    ...part,
  })

  test("waits in its final geometry, and after 8 s says so with a way to try again", async () => {
    const asked = query({ isFetching: true })
    stage = await show(loaded(asked))
    expect([stage.count("i"), stage.text()]).toEqual([1, ""])
    await pass(8_000)
    expect(stage.text()).toContain("Still loading")
    await stage.press(stage.get("button", "Try again"))
    expect(asked.refetch).toHaveBeenCalledOnce()
  })

  test("a failure stays said while it is asked for again by itself; a press shows the wait, another query too", async () => {
    const failed = query({ error: new Error(), errorUpdateCount: 1 })
    const again = { ...failed, error: null, isFetching: true }
    const seen = () => [stage.count("[role=alert]"), stage.count("i")]
    stage = await show(<Changing first={failed} />)
    await act(async () => change(again))
    expect(seen()).toEqual([1, 0])
    await stage.press(stage.get("button", "Try again"))
    expect(seen()).toEqual([0, 1])
    expect(failed.refetch).toHaveBeenCalledOnce()
    await act(async () => change(failed))
    await act(async () => change({ ...again, errorUpdateCount: 0 }))
    expect(seen()).toEqual([0, 1])
  })

  test("a failure keeps the last good data with its time", async () => {
    stage = await show(loaded(query({ error: new Error(), data: "1,240.50", dataUpdatedAt: Date.now() })))
    expect(stage.text()).toMatch(/Not up to date: as of \d\d:\d\d:\d\d.*1,240\.50/)
  })

  test("what is old says whether a new answer is on its way", async () => {
    const old = { error: new Error(), data: "1,240.50", dataUpdatedAt: Date.now() }
    for (const isFetching of [true, false]) {
      stage = await show(loaded(query({ ...old, isFetching })))
      expect(stage.count(`[role=status][aria-busy=${isFetching}]`)).toBe(1)
      await stage.leave()
    }
  })

  test("what another visit left is called old where no new answer is on its way, or it doesn't come", async () => {
    const left = { data: "1,240.50", dataUpdatedAt: 0 }
    const isOld = () => stage.text().includes("Not up to date")
    stage = await show(loaded(query({ ...left, isFetching: true })))
    expect(isOld()).toBe(false)
    await pass(1_500)
    expect(isOld()).toBe(true)
    await stage.leave()
    stage = await show(loaded(query({ ...left, isFetching: false })))
    expect(isOld()).toBe(true)
    await stage.leave()
    // Too new to be asked for again when the page began.
    stage = await show(
      loaded(query({ ...left, isFetching: false, dataUpdatedAt: performance.timeOrigin - 4_000 })),
    )
    expect(isOld()).toBe(false)
  })

  test("what is a minute old is called so where a new answer is late", async () => {
    vi.setSystemTime(performance.timeOrigin + 3_600_000)
    const since = (ms: number) =>
      loaded(query({ data: "5", isFetching: true, dataUpdatedAt: Date.now() - ms }))
    const isOld = () => stage.text().includes("Not up to date")
    stage = await show(since(61_000))
    expect(isOld()).toBe(false)
    await pass(1_500)
    expect(isOld()).toBe(true)
    await stage.leave()
    stage = await show(since(50_000))
    await pass(1_500)
    expect(isOld()).toBe(false)
  })

  test("what isn't allowed says why and leads to what mends it", async () => {
    const problem = new Refusal(422, "Set a withdrawal password", { error: "out_password_not_set" } as never)
    stage = await show(loaded(query({ error: problem })))
    expect(stage.text()).toContain("Set a withdrawal password")
    expect(stage.get("a").getAttribute("href")).toBe("/me1?view=withdraw")
  })

  test("what is switched off says so in one sentence: asking again can't help", async () => {
    const problem = new Refusal(422, "This isn't available in your country", {
      error: "feature_off",
    } as never)
    stage = await show(loaded(query({ error: problem })))
    expect([stage.text(), stage.count("a, button")]).toEqual(["This isn't available in your country", 0])
  })

  test.each(["kyc_required", "age_required", "address_required"])(
    "where the screen that mends %s isn't built, no way leads to it",
    async (error) => {
      const problem = new Refusal(422, "Please verify your identity first", { error } as never)
      stage = await show(loaded(query({ error: problem })))
      expect(stage.text()).toContain("Please verify your identity first")
      expect(stage.count("a")).toBe(0)
    },
  )

  test("nothing is its own state", async () => {
    stage = await show(loaded(query({ data: "" })))
    expect(stage.get("b").textContent).toBe("nothing")
  })
})
