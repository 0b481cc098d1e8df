import { i18n } from "@lingui/core"
import { I18nProvider } from "@lingui/react"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { expect, it } from "vitest"
import { Turnover } from "./Turnover.tsx"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
i18n.loadAndActivate({ locale: "en", messages: {} })

const BANDS = ["0.000000", "1000.000000", "10000.000000"]

it.each([
  ["1250.500000", [], "1,250.50 USDT"],
  ["0.000000", BANDS, "0 to 1,000 USDT"],
  ["1000.000000", BANDS, "1,000 to 10,000 USDT"],
  ["10000.000000", BANDS, "10,000 USDT or more"],
])("%s in %j is shown as %s", (value, bands, shown) => {
  const place = document.createElement("div")
  act(() =>
    createRoot(place).render(
      <I18nProvider i18n={i18n}>
        <Turnover value={value} bands={bands} />
      </I18nProvider>,
    ),
  )
  expect(place.textContent).toBe(shown)
})
