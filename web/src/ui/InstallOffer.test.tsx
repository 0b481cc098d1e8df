import { act } from "react"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { startInstall } from "../lib/install.ts"
import { getSettings, setSettings } from "../lib/settings.ts"
import { type Stage, show } from "../testing/stage.tsx"
import { InstallOffer } from "./InstallOffer.tsx"

const LONG_AGO = Date.now() - 86_400_000
const before = (visits: number, away = 0) => setSettings({ install: { visits, seen: LONG_AGO, away } })
const prompt = vi.fn(async () => ({ outcome: "dismissed" as const }))

let stage: Stage
beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }))
  startInstall()
  dispatchEvent(Object.assign(new Event("beforeinstallprompt", { cancelable: true }), { prompt }))
})
afterEach(async () => {
  await stage.leave()
  vi.unstubAllGlobals()
  before(0)
})

const shown = () => stage.count("section") === 1

test("the first visit with a balance only counts, the second shows the card", async () => {
  before(0)
  stage = await show(<InstallOffer total="12.5" />)
  expect([shown(), getSettings().install.visits]).toEqual([false, 1])
  await stage.leave()
  before(1)
  stage = await show(<InstallOffer total="12.5" />)
  expect(shown()).toBe(true)
})

test("who has nothing isn't asked and isn't counted, and neither is one whose balance isn't known", async () => {
  before(5)
  stage = await show(
    <>
      <InstallOffer total="0.000000" />
      <InstallOffer total={undefined} />
    </>,
  )
  expect([shown(), getSettings().install.visits]).toEqual([false, 5])
})

test("put away it is gone, and stays so for thirty days", async () => {
  before(5)
  stage = await show(<InstallOffer total="1" />)
  await stage.press(stage.get("button", "Not now"))
  expect(shown()).toBe(false)
  await act(async () => before(5, Date.now() - 29 * 86_400_000))
  expect(shown()).toBe(false)
  await act(async () => before(5, Date.now() - 31 * 86_400_000))
  expect(shown()).toBe(true)
})

test("its button shows the browser's own question, once", async () => {
  before(5)
  stage = await show(<InstallOffer total="1" />)
  await stage.press(stage.get("button", "Install"))
  expect(prompt).toHaveBeenCalledTimes(1)
  expect(shown()).toBe(false)
})
