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
