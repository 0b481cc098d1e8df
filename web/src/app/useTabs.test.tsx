import { afterEach, expect, test, vi } from "vitest"
import { queryClient } from "../lib/queries.ts"
import { type Stage, show } from "../testing/stage.tsx"
import { useTabs } from "./useTabs.ts"

let stage: Stage
afterEach(async () => {
  await stage.leave()
  vi.unstubAllGlobals()
})

const Bar = () =>
  useTabs("/home").map(({ to, label, onPress }) => (
    <button key={to} type="button" onClick={onPress}>
      {label}
    </button>
  ))

test("the bar has the roots that are built, and no other", async () => {
  stage = await show(<Bar />)
  const tabs = [...document.querySelectorAll("button")].map(({ textContent }) => textContent)
  expect(tabs).toEqual(["Home", "Play", "Assets", "Me"])
})

test("the second tap on a tab goes to the top, the third asks anew", async () => {
  const scrolled = vi.fn()
  vi.stubGlobal("scrollTo", scrolled)
  vi.stubGlobal("matchMedia", () => ({ matches: false }))
  const asked = vi.spyOn(queryClient, "invalidateQueries")
  stage = await show(<Bar />)
  const home = stage.get("button", "Home")
  await stage.press(home)
  expect(scrolled).toHaveBeenCalledWith({ top: 0, behavior: "smooth" })
  expect(asked).not.toHaveBeenCalled()
  await stage.press(home)
  expect(asked).toHaveBeenCalledOnce()
})
