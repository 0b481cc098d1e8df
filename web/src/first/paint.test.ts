// @vitest-environment document
import { beforeEach, expect, test, vi } from "vitest"
import { setSettings } from "../lib/settings.ts"
import { storedSettings } from "../lib/stored.ts"
import { putChoices, show, sketchOf } from "./paint.ts"

const TEXTS = { th: ["เข้าสู่ระบบ", "หน้าแรก"] }
const at = (path: string, token: string | null = null) => sketchOf(new URL(path, "http://x"), token)

beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: false }))
  localStorage.clear()
  history.replaceState(null, "", "/login")
  document.head.innerHTML = '<meta name="kalos-mode" content="demo">'
  document.body.innerHTML = `<div data-sketch="login" hidden><p data-demo></p><p data-offer></p><b data-text>Log in</b></div>
    <div data-sketch="home" hidden><b data-text>Home</b></div><script type="application/json">${JSON.stringify(TEXTS)}</script>`
})

const isHidden = (name: string) => document.querySelector(`[data-${name}]`)?.hasAttribute("hidden")

test("what is drawn is where the guard leads to, and nothing where that is another screen", () => {
  expect([at("/login"), at("/"), at("/home"), at("/me3?view=x"), at("/none")]).toEqual(Array(5).fill("login"))
  expect([at("/login?view=forgot"), at("/login?freeze=1"), at("/register")]).toEqual([null, null, null])
  expect([at("/", "t"), at("/home", "t"), at("/login", "t"), at("/me", "t")]).toEqual([
    "home",
    "home",
    null,
    null,
  ])
})

test("it is shown in the chosen language, with what this installation and visit have", () => {
  setSettings({ language: "th", theme: "paper", prices: "cvd", still: true })
  putChoices(storedSettings())
  const root = document.documentElement
  expect([root.lang, root.dataset.theme, root.dataset.updown, root.hasAttribute("data-still")]).toEqual([
    "th",
    "paper",
    "cvd",
    true,
  ])
  show(storedSettings())
  expect(document.querySelector("[data-sketch=login] b")?.textContent).toBe("เข้าสู่ระบบ")
  expect([isHidden("sketch=login"), isHidden("sketch=home"), isHidden("demo"), isHidden("offer")]).toEqual([
    false,
    true,
    false,
    true,
  ])
})

test("a first visit in another language has room for its offer, and production none for the demo's lines", () => {
  vi.spyOn(navigator, "languages", "get").mockReturnValue(["vi-VN", "en"])
  document.head.innerHTML = '<meta name="kalos-mode" content="production">'
  show({ ...storedSettings(), language: "en", offered: false })
  expect([isHidden("demo"), isHidden("offer")]).toEqual([true, false])
  show({ ...storedSettings(), language: "en", offered: true })
  expect(isHidden("offer")).toBe(true)
  expect(document.querySelector("[data-sketch=login] b")?.textContent).toBe("Log in")
})
