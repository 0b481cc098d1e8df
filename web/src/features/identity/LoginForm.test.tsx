import { act } from "react"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { startInstall } from "../../lib/install.ts"
import { markOnline, suspectOffline } from "../../lib/network.ts"
import { queryClient } from "../../lib/queries.ts"
import { getSettings, setSettings } from "../../lib/settings.ts"
import { comeBack } from "../../testing/comeBack.ts"
import { soon } from "../../testing/soon.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { LoginForm } from "./LoginForm.tsx"

let stage: Stage
let away = false

beforeEach(() => {
  away = false
  vi.stubGlobal("fetch", () => (away ? Promise.reject(new TypeError("no server")) : new Promise(() => {})))
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
})
afterEach(async () => {
  await stage.leave()
  await comeBack()
  setSettings({ theme: "system" })
  queryClient.clear()
  vi.unstubAllGlobals()
})

const open = async () => {
  stage = await show(<LoginForm closed={false} />, "/login")
}

test("without a connection nobody can log in, and the button says why", async () => {
  await open()
  expect(stage.count("button:disabled[type=submit]")).toBe(0)
  await act(async () => {
    away = true
    suspectOffline()
  })
  await soon(() => expect(stage.text()).toContain("No connection to the server"))
  const button = stage.get("button[type=submit]", "Log in") as HTMLButtonElement
  const why = document.getElementById(button.getAttribute("aria-describedby") ?? "")?.textContent
  expect([button.disabled, why]).toEqual([true, "No connection to the server"])
  await act(async () => markOnline())
  expect(button.disabled).toBe(false)
})

test("the door's theme is turned by one press and back by another", async () => {
  await open()
  for (const theme of ["paper", "ink", "paper"]) {
    await stage.press(stage.get("button", theme === "paper" ? /^(Light|Dark) theme$/ : /theme$/))
    expect(getSettings().theme).toBe(theme)
  }
})

test("where the browser offers the page as an app, the door does too, and shows the browser's own question", async () => {
  const prompt = vi.fn(async () => ({ outcome: "dismissed" as const }))
  startInstall()
  await open()
  expect(stage.text()).not.toContain("On this device often?")
  await act(async () => {
    dispatchEvent(Object.assign(new Event("beforeinstallprompt", { cancelable: true }), { prompt }))
  })
  await stage.press(stage.get("button", "Install the app"))
  expect(prompt).toHaveBeenCalledOnce()
  expect(stage.text()).not.toContain("On this device often?")
})

test("a slide asked for before a reload doesn't come back: nothing is left that it would send", async () => {
  await open()
  const { router } = stage
  await act(() => router.navigate({ to: ".", state: { sheet: "slide" } } as never))
  await soon(() => act(async () => expect(router.state.location.state.sheet).toBeUndefined()))
  expect(stage.count("[role=dialog]")).toBe(0)
})
