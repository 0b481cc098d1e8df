// @vitest-environment jsdom
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

test("two looks within half an hour are one visit, and a clock that was set back begins another", async () => {
  const { countVisit } = await page()
  const { getSettings, setSettings } = await import("./settings.ts")
  setSettings({ install: { visits: 0, seen: 0, away: 0 } })
  for (const [minutes, visits] of [
    [100, 1],
    [129, 1],
    [158, 1],
    [189, 2],
    [50, 3],
  ] as const) {
    countVisit(minutes * 60_000)
    expect(getSettings().install.visits).toBe(visits)
  }
})

test("the offer comes at the second visit, where there is a way, and stays away for thirty days", async () => {
  const { mayOffer, putAway } = await page()
  const { getSettings, setSettings } = await import("./settings.ts")
  const day = 86_400_000
  const now = 1_763_740_800_000
  const visited = { visits: 2, seen: now, away: 0 }
  expect(mayOffer({ ...visited, visits: 1 }, "offered", now)).toBe(false)
  const states = ["offered", "ios", "menu", "app", "installed"] as const
  expect(states.filter((state) => mayOffer(visited, state, now))).toEqual(["offered", "ios"])
  setSettings({ install: visited })
  putAway(now)
  const { install } = getSettings()
  expect([29, 31].map((days) => mayOffer(install, "ios", now + days * day))).toEqual([false, true])
})
