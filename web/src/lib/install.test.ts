// @vitest-environment document
import { beforeEach, expect, it, test, vi } from "vitest"

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 Version/26.0 Safari/604.1"
const MAC =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15"

let standalone = false

/** The library as a fresh page has it. */
async function page(userAgent = "", maxTouchPoints = 0) {
  vi.resetModules()
  vi.stubGlobal("matchMedia", () => ({ matches: standalone, addEventListener: () => undefined }))
  vi.stubGlobal("navigator", { userAgent, maxTouchPoints })
  const library = await import("./install.ts")
  library.startInstall()
  return library
}

function offer() {
  const event = Object.assign(new Event("beforeinstallprompt", { cancelable: true }), {
    prompt: vi.fn(async () => ({ outcome: "dismissed" })),
  })
  dispatchEvent(event)
  return event
}

beforeEach(() => {
  standalone = false
})

it.each([
  ["ios", IPHONE, 5],
  ["ios", MAC, 5],
  ["menu", MAC, 0],
  ["menu", "", 0],
])("says %s", async (state, userAgent, touches) => {
  const { installState } = await page(userAgent, touches)
  expect(installState()).toBe(state)
})

test("a page in its own window is the app, whatever is offered", async () => {
  const { installState } = await page(IPHONE, 5)
  standalone = true
  offer()
  expect(installState()).toBe("app")
})

test("the browser's offer is kept from showing itself, and shown once when it is asked for", async () => {
  const { installState, install } = await page()
  const event = offer()
  expect(event.defaultPrevented).toBe(true)
  expect(installState()).toBe("offered")
  await install()
  await install()
  expect(event.prompt).toHaveBeenCalledOnce()
  expect(installState()).toBe("menu")
})

test("what was installed beside this tab is not offered again", async () => {
  const { installState } = await page()
  offer()
  dispatchEvent(new Event("appinstalled"))
  expect(installState()).toBe("installed")
})
