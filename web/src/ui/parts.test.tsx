import { act, useState } from "react"
import { afterEach, describe, expect, test, vi } from "vitest"
import { Refusal } from "../lib/api.ts"
import { notify, warn } from "../lib/notices.ts"
import { endSession, startSession } from "../lib/session.ts"
import { onClockDoubt, setServerTime } from "../lib/time.ts"
import { holdClock } from "../testing/clock.ts"
import { type Stage, show } from "../testing/stage.tsx"
import { Countdown } from "./Countdown.tsx"
import { CountdownRing } from "./CountdownRing.tsx"
import { HashRibbon } from "./HashRibbon.tsx"
import { InfiniteList } from "./InfiniteList.tsx"
import { type Loadable, Loaded } from "./Loaded.tsx"
import { Toasts } from "./Toasts.tsx"

let stage: Stage
holdClock()
afterEach(() => stage.leave())

const pass = (milliseconds: number) => act(async () => vi.advanceTimersByTimeAsync(milliseconds))

/** A ribbon whose block comes at a press. */
function Drawn() {
  const [hash, setHash] = useState<string | null>(null)
  return (
    <>
      <button type="button" onClick={() => setHash(`0x${"a1".repeat(32)}`)}>
        draw
      </button>
      <HashRibbon hash={hash} cells={13} typing />
    </>
  )
}

test("no cell of a new hash stays blank where a busy phone drops the ticks that type it", async () => {
  vi.stubGlobal("matchMedia", () => ({ matches: false }))
  stage = await show(<Drawn />)
  await stage.press(stage.get("button"))
  expect(stage.count(".text-transparent")).toBe(13)
  await pass(60 * 14)
  expect(stage.count(".text-transparent")).toBe(0)
})

describe("Countdown", () => {
  const shown = () => stage.get("[role=timer]").textContent

  test("follows the server's clock, and shows the present when the page comes back to sight", async () => {
    setServerTime(Date.now() + 60_000)
    stage = await show(<Countdown until={Date.now() + 90_000} />)
    expect(shown()).toBe("00:30")
    await pass(10_000)
    expect(shown()).toBe("00:20")
    // Asleep, or hidden: no timer runs, both clocks go on.
    vi.setSystemTime(Date.now() + 5_000)
    await act(async () => document.dispatchEvent(new Event("visibilitychange")))
    expect(shown()).toBe("00:15")
    setServerTime(Date.now())
  })

  test("a clock that was set is noticed at the next tick", async () => {
    stage = await show(<Countdown until={Date.now() + 90_000} />)
    const doubt = vi.fn()
    const stop = onClockDoubt(doubt)
    await pass(3_000)
    expect(doubt).not.toHaveBeenCalled()
    vi.setSystemTime(Date.now() + 3_600_000)
    await pass(1_000)
    expect(doubt).toHaveBeenCalledOnce()
    stop()
  })

  test("a ring's name counts one second as one", async () => {
    const closesAt = Date.now() + 1_900
    stage = await show(<CountdownRing opensAt={Date.now()} closesAt={closesAt} open label="" closed="" />)
    const name = () => stage.get("[role=timer]").getAttribute("aria-label")
    expect(name()).toBe("2 seconds left")
    await pass(1_000)
    expect(name()).toBe("1 second left")
  })
})

describe("Toast", () => {
  const visible = () => stage.count("span[aria-hidden=true]")
  const heard = () => stage.get("[role=status]").textContent

  test("a success is seen for 1.5 s and heard for 6", async () => {
    stage = await show(<Toasts />)
    await act(async () => notify("Saved"))
    expect([visible(), heard()]).toEqual([1, "Saved"])
    await pass(1_500)
    expect([visible(), heard()]).toEqual([0, "Saved"])
    await pass(4_500)
    expect(heard()).toBe("")
  })

  test("an error stays for 6 s, longer while it is held, and can be closed", async () => {
    stage = await show(<Toasts />)
    await act(async () => warn("Server error"))
    await pass(5_000)
    await act(async () => stage.get("button", "Close").focus())
    await pass(60_000)
    expect([visible(), heard()]).toEqual([1, "Server error"])
    await stage.press(stage.get("button", "Close"))
    expect(heard()).toBe("")
  })

  test("only an error takes the pointer: a success is in nobody's way", async () => {
    stage = await show(<Toasts />)
    await act(async () => notify("Saved"))
    expect(stage.count(".animate-enter.pointer-events-auto")).toBe(0)
    await act(async () => warn("Server error"))
    expect(stage.count(".animate-enter.pointer-events-auto")).toBe(1)
  })

  test("what was said at the door is gone inside", async () => {
    stage = await show(<Toasts />)
    await act(async () => warn("The password is wrong"))
    await act(async () => startSession("of-a-member"))
    expect([visible(), heard()]).toEqual([0, ""])
    await act(async () => warn("Please log in"))
    await act(async () => endSession())
    expect(heard()).toBe("Please log in")
  })
})

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

  test("what isn't allowed says why and leads to what mends it", async () => {
    const problem = new Refusal(422, "Set a withdrawal password", { error: "out_password_not_set" } as never)
    stage = await show(loaded(query({ error: problem })))
    expect(stage.text()).toContain("Set a withdrawal password")
    expect(stage.get("a").getAttribute("href")).toBe("/me1?view=withdraw")
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

test("a list asks for one page at a time, and not while it is asked for anew", async () => {
  const seen: IntersectionObserverCallback[] = []
  class Seen {
    constructor(callback: IntersectionObserverCallback) {
      seen.push(callback)
    }
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal("IntersectionObserver", Seen)
  const fetchNextPage = vi.fn()
  const list = (isFetching: boolean) => (
    <InfiniteList
      query={{
        data: { pages: [{ list: ["a"], total: 20, next: "1" }], pageParams: [""] } as never,
        error: null,
        isFetching,
        isFetchingNextPage: false,
        isFetchNextPageError: false,
        hasNextPage: true,
        dataUpdatedAt: 0,
        refetch: vi.fn(),
        fetchNextPage,
      }}
      row={(row: string) => row}
      keyOf={(row) => row}
      empty="none"
    />
  )
  stage = await show(list(true))
  expect(seen).toHaveLength(0)
  await stage.leave()
  stage = await show(list(false))
  seen.at(-1)?.([{ isIntersecting: true }] as never, {} as never)
  expect(fetchNextPage.mock.calls).toEqual([[{ cancelRefetch: false }]])
})
