import { act, useState } from "react"
import { afterEach, describe, expect, test, vi } from "vitest"
import { setServerTime } from "../lib/clock.ts"
import { notify, warn } from "../lib/notices.ts"
import { endSession, startSession } from "../lib/session.ts"
import { onClockDoubt } from "../lib/time.ts"
import { holdClock, pass } from "../testing/clock.ts"
import { type Stage, show } from "../testing/stage.tsx"
import { Countdown } from "./Countdown.tsx"
import { CountdownRing } from "./CountdownRing.tsx"
import { HashRibbon } from "./HashRibbon.tsx"
import { InfiniteList } from "./InfiniteList.tsx"
import { Toasts } from "./Toasts.tsx"

let stage: Stage
holdClock()
afterEach(() => stage.leave())

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
