import { act } from "react"
import { afterEach, expect, test, vi } from "vitest"
import { type Stage, show } from "../testing/stage.tsx"
import { useLater } from "./later.ts"

let stage: Stage | undefined
afterEach(async () => {
  await stage?.leave()
  vi.unstubAllGlobals()
})

function Screen() {
  return useLater() ? <p>all of it</p> : <p>the first of it</p>
}

test("the rest of the first screen waits until the browser has time, that of later screens doesn't", async () => {
  const waiting: (() => void)[] = []
  vi.stubGlobal("requestIdleCallback", (run: () => void) => waiting.push(run))
  vi.stubGlobal("cancelIdleCallback", () => undefined)
  stage = await show(<Screen />)
  expect(stage.text()).toBe("the first of it")
  await act(async () => {
    for (const run of waiting) run()
  })
  expect(stage.text()).toBe("all of it")
  await stage.leave()
  stage = await show(<Screen />)
  expect(stage.text()).toBe("all of it")
  expect(waiting).toHaveLength(1)
})
