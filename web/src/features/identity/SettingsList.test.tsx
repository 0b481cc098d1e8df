import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { buzz } from "../../lib/haptics.ts"
import { queryClient } from "../../lib/queries.ts"
import { getSettings, setSettings } from "../../lib/settings.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { Amount } from "../../ui/Amount.tsx"
import { SettingsList } from "./SettingsList.tsx"

let stage: Stage
const vibrate = vi.fn()

beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
  vi.stubGlobal("fetch", () => new Promise(() => {}))
})
afterEach(async () => {
  await stage.leave()
  setSettings({ hide: false, haptics: true })
  queryClient.clear()
  vi.unstubAllGlobals()
})

const open = async () => {
  stage = await show(
    <>
      <SettingsList />
      <Amount value="1234.50" asset="USDT" private />
    </>,
    "/me3",
  )
}
const flip = (name: RegExp) => stage.press(stage.get("[role=switch]", name))

test("hidden balances are dots on every screen at once, and come back", async () => {
  await open()
  expect(stage.text()).toContain("1,234.50")
  await flip(/^Hide balances/)
  expect([getSettings().hide, stage.text().includes("1,234.50")]).toEqual([true, false])
  await flip(/^Hide balances/)
  expect(stage.text()).toContain("1,234.50")
})

test("a device that can't vibrate has no switch for it", async () => {
  vi.stubGlobal("navigator", Object.create(navigator, { vibrate: { value: undefined } }))
  await open()
  expect(stage.text()).not.toContain("Vibrate on key presses")
})

test("a key press vibrates for 10 ms, until its switch is off", async () => {
  vi.stubGlobal("navigator", Object.create(navigator, { vibrate: { value: vibrate } }))
  await open()
  setSettings({ haptics: true })
  buzz()
  expect(vibrate.mock.calls).toEqual([[10]])
  await flip(/^Vibrate on key presses/)
  buzz()
  expect([getSettings().haptics, vibrate.mock.calls.length]).toEqual([false, 1])
})
