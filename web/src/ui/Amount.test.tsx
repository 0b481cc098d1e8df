import { i18n } from "@lingui/core"
import { I18nProvider } from "@lingui/react"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { expect, test, vi } from "vitest"
import { LANGUAGES } from "../lib/languages.ts"
import { setSettings } from "../lib/settings.ts"
import { Amount } from "./Amount.tsx"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

test.each(LANGUAGES.map(({ code }) => code))(
  "in %s an amount is copied as machines read it",
  async (language) => {
    i18n.loadAndActivate({ locale: "en", messages: {} })
    setSettings({ language })
    const writeText = vi.fn(async (_text: string) => undefined)
    Object.assign(navigator, { clipboard: { writeText } })
    const place = document.createElement("div")
    const root = createRoot(place)
    act(() =>
      root.render(
        <I18nProvider i18n={i18n}>
          <Amount value="1234567.50" asset="USDT" copy />
        </I18nProvider>,
      ),
    )
    expect(place.textContent).toContain(language === "vn" ? "1.234.567,50 USDT" : "1,234,567.50 USDT")
    await act(async () => place.querySelector("button")?.click())
    expect(writeText.mock.calls).toEqual([["1234567.5"]])
    act(() => root.unmount())
  },
)

test.each([
  ["24816.402913", "text-hero whitespace-nowrap", 0],
  ["1234567890.12", "text-display whitespace-nowrap", 0],
  ["999999999999999999.99999999", "text-h1", 5],
])("the large figure %s is written whole, in a size that fits a phone", (value, look, breaks) => {
  i18n.loadAndActivate({ locale: "en", messages: {} })
  setSettings({ language: "en" })
  const place = document.createElement("div")
  const root = createRoot(place)
  act(() =>
    root.render(
      <I18nProvider i18n={i18n}>
        <Amount value={value} hero />
      </I18nProvider>,
    ),
  )
  expect(place.textContent?.replaceAll(",", "")).toBe(value)
  expect(place.firstElementChild?.className.split(/ +/).filter(Boolean).join(" ")).toBe(look)
  expect(place.querySelectorAll("wbr")).toHaveLength(breaks)
  act(() => root.unmount())
})
