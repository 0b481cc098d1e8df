import { afterEach, expect, test, vi } from "vitest"
import { queryClient } from "../lib/queries.ts"
import { type Stage, show } from "../testing/stage.tsx"
import { TabBar } from "../ui/TabBar.tsx"
import { useTabs } from "./useTabs.ts"

let stage: Stage
afterEach(async () => {
  await stage.leave()
  vi.unstubAllGlobals()
})

const Bar = () => <TabBar tabs={useTabs("/home")} />

test("the second tap on a tab goes to the top, the third asks anew", async () => {
  const scrolled = vi.fn()
  vi.stubGlobal("scrollTo", scrolled)
  const asked = vi.spyOn(queryClient, "invalidateQueries")
  stage = await show(<Bar />)
  const home = stage.get("a", "Home")
  home.addEventListener("click", (event) => event.preventDefault()) // the stage has no such page
  expect(home.getAttribute("aria-current")).toBe("page")
  await stage.press(home)
  expect(scrolled).toHaveBeenCalledWith({ top: 0, behavior: "smooth" })
  expect(asked).not.toHaveBeenCalled()
  await stage.press(home)
  expect(asked).toHaveBeenCalledOnce()
})
