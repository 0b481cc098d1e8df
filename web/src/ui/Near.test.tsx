import { act } from "react"
import { afterEach, expect, test, vi } from "vitest"
import { type Stage, show } from "../testing/stage.tsx"
import { Near } from "./Near.tsx"

let stage: Stage | undefined
afterEach(async () => {
  await stage?.leave()
  vi.unstubAllGlobals()
})

test("content is drawn when its place comes near the window, and stays", async () => {
  let tell: (entries: { isIntersecting: boolean }[]) => void = () => undefined
  const disconnect = vi.fn()
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      constructor(told: typeof tell) {
        tell = told
      }
      observe() {}
      disconnect = disconnect
    },
  )
  stage = await show(<Near fallback={<p>soon</p>}>content</Near>)
  await act(async () => tell([{ isIntersecting: false }]))
  expect(stage.text()).toBe("soon")
  await act(async () => tell([{ isIntersecting: true }]))
  expect(stage.text()).toBe("content")
  expect(disconnect).toHaveBeenCalled()
})
