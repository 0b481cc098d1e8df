// @vitest-environment jsdom
import { act, createElement } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { dismiss, tellFromBefore, useNotices, warnAfterReload } from "./notices.ts"

;(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true

let texts: string[] = []

function Watcher() {
  const notices = useNotices()
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
