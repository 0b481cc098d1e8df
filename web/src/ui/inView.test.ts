// @vitest-environment document
import { afterEach, expect, test, vi } from "vitest"
import { followKeyboard } from "./inView.ts"

class View extends EventTarget {
  height = 800
  offsetTop = 0
  scale = 1
  be(part: Partial<View>): void {
    Object.assign(this, part)
    this.dispatchEvent(new Event("resize"))
  }
}

const page = document.documentElement
const covered = () => page.style.getPropertyValue("--keyboard")

afterEach(() => vi.unstubAllGlobals())

test("what the system's keyboard covers of the page is known while a sheet stands", () => {
  const view = new View()
  vi.stubGlobal("visualViewport", view)
  vi.spyOn(page, "clientHeight", "get").mockReturnValue(800)
  const end = followKeyboard()
  expect(covered()).toBe("0px")
  view.be({ height: 500 })
  expect(covered()).toBe("300px")
  view.be({ offsetTop: 120 })
  expect(covered()).toBe("180px")
  // Enlarged by two fingers, not covered.
  view.be({ height: 400, offsetTop: 0, scale: 2 })
  expect(covered()).toBe("0px")
  end()
  expect(covered()).toBe("")
  view.be({ height: 500, scale: 1 })
  expect(covered()).toBe("")
})
