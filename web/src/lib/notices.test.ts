// @vitest-environment document
import { act, createElement } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import {
  dismiss,
  type Notice,
  shownFor,
  tellFromBefore,
  useNotices,
  warn,
  warnAfterReload,
} from "./notices.ts"
import { endSession, startSession } from "./session.ts"

;(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true

let texts: string[] = []
let shown: readonly Notice[] = []

function Watcher() {
  const notices = useNotices()
  shown = notices
  texts = notices.map(({ text }) => text)
  const clear = () => {
    for (const { id } of notices) dismiss(id)
  }
  return createElement("button", { type: "button", onClick: clear })
}

const root = createRoot(document.body.appendChild(document.createElement("div")))
beforeEach(() => act(() => root.render(createElement(Watcher))))
afterEach(() => {
  vi.restoreAllMocks()
  act(() => document.querySelector("button")?.click())
})

test("what the page before had to say is said once", () => {
  warnAfterReload("Please log in again")
  act(tellFromBefore)
  expect(texts).toEqual(["Please log in again"])
  act(() => document.querySelector("button")?.click())
  act(tellFromBefore)
  expect(texts).toEqual([])
})

test.each(["getItem", "setItem", "removeItem"] as const)("a store that refuses (%s) stops no page", (way) => {
  vi.spyOn(Storage.prototype, way).mockImplementation(() => {
    throw new DOMException("denied", "SecurityError")
  })
  expect(() => warnAfterReload("Please log in again")).not.toThrow()
  expect(() => act(tellFromBefore)).not.toThrow()
})

test("what nobody has pressed is told once a minute, for the eye, and anew to the next member", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 })
  const isTold = () => {
    act(() => warn("This is closed", { seldom: true }))
    const found = [texts, shown.map(({ tone }) => tone)]
    act(() => document.querySelector("button")?.click())
    return found
  }
  const yes = [["This is closed"], ["quiet"]]
  expect(isTold()).toEqual(yes)
  vi.setSystemTime(1_059_999)
  expect(isTold()).toEqual([[], []])
  act(() => warn("This is closed"))
  expect(shown.map(({ tone }) => tone)).toEqual(["error"])
  act(() => document.querySelector("button")?.click())
  vi.setSystemTime(1_060_000)
  expect(isTold()).toEqual(yes)
  act(() => startSession("token-a"))
  await act(endSession)
  expect(isTold()).toEqual(yes)
  vi.useRealTimers()
})

test("of what screens say themselves the last alone is over the page, and shorter than what only stands there", () => {
  act(() => warn("Money out is stopped"))
  act(() => warn("Money out is stopped", { quiet: true }))
  expect(shown.map(({ tone }) => tone)).toEqual(["error"])
  act(() => warn("The password is wrong", { quiet: true }))
  act(() => warn("The code is wrong", { quiet: true }))
  expect(texts).toEqual(["Money out is stopped", "The code is wrong"])
  expect(shown.map(shownFor)).toEqual([6000, 3000])
})
