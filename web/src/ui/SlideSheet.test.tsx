import { act, useState } from "react"
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { queryClient } from "../lib/queries.ts"
import { startTexts } from "../lib/texts.ts"
import { answerWith, done } from "../testing/answers.ts"
import { type Stage, show } from "../testing/stage.tsx"
import { until } from "../testing/until.ts"
import { SlideSheet, useSlideSheet } from "./SlideSheet.tsx"

let stage: Stage
let asked: string[]
let reload: () => void

function Asking() {
  const slide = useSlideSheet()
  return (
    <>
      <button type="button" onClick={slide.show}>
        Send
      </button>
      <SlideSheet sheet={slide} onProof={() => undefined} />
    </>
  )
}

/** A reload keeps the history, and forgets what stood in the page. */
function Page() {
  const [times, setTimes] = useState(0)
  reload = () => setTimes(times + 1)
  return <Asking key={times} />
}

const sheet = () => stage.router.state.location.state.sheet

beforeAll(startTexts)
beforeAll(() => Promise.all([import("./SheetPanel.tsx"), import("./SlideCheck.tsx")]))
beforeEach(async () => {
  asked = []
  answerWith((path) => {
    asked.push(path)
    return done({ captcha_id: "1", background: "data:,", piece: "data:,", y: 40, tones: null, expires_at: 0 })
  })
  stage = await show(<Page />)
})
afterEach(async () => {
  await stage.leave()
  queryClient.clear()
  vi.unstubAllGlobals()
})

test("a slide that was asked for shows; after a reload, which forgot for what, its step is taken back", async () => {
  await stage.press(stage.get("button", "Send"))
  await until(() => stage.count("[data-slide]") === 1)
  expect(sheet()).toBe("slide")
  await act(async () => reload())
  expect(stage.count("[data-slide]")).toBe(0)
  await until(() => sheet() === undefined)
  expect(asked).toEqual(["/api/auth/slide"])
  await stage.press(stage.get("button", "Send"))
  await until(() => stage.count("[data-slide]") === 1)
})
