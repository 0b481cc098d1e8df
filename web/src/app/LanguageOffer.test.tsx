import { i18n } from "@lingui/core"
import { I18nProvider } from "@lingui/react"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { getSettings, setSettings } from "../lib/settings.ts"
import { LanguageOffer } from "./LanguageOffer.tsx"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
const place = document.body.appendChild(document.createElement("div"))
let root: ReturnType<typeof createRoot>

beforeEach(() => {
  i18n.loadAndActivate({ locale: "en", messages: {} })
  setSettings({ language: "en", offered: false })
  root = createRoot(place)
})
afterEach(() => act(() => root.unmount()))

async function visit(...languages: string[]): Promise<HTMLButtonElement[]> {
  vi.spyOn(navigator, "languages", "get").mockReturnValue(languages)
  await act(async () => {
    root.render(
      <I18nProvider i18n={i18n}>
        <LanguageOffer />
      </I18nProvider>,
    )
    await import("./OfferText.tsx")
  })
  return [...place.querySelectorAll("button")]
}
const press = (button: HTMLButtonElement | undefined) => act(() => button?.click())

test("a browser of another language is offered it, in it, and nothing changes by itself", async () => {
  const [take] = await visit("ja-JP", "en")
  expect(take?.textContent).toBe("Kalos を日本語で使う")
  expect(take?.querySelector("[lang]")?.getAttribute("lang")).toBe("ja")
  expect(getSettings().language).toBe("en")
  press(take)
  expect(getSettings()).toMatchObject({ language: "ja", offered: true })
  expect(place.textContent).toBe("")
})
test("a refused offer doesn't come back", async () => {
  const [, close] = await visit("ko")
  press(close)
  expect(getSettings()).toMatchObject({ language: "en", offered: true })
  expect(await visit("ko")).toEqual([])
})
test("no offer where the browser's language is the page's, or none of ours", async () => {
  expect(await visit("en-US", "vi")).toEqual([])
  expect(await visit("fr")).toEqual([])
})
test("no offer to whoever chose another language than English", async () => {
  act(() => setSettings({ language: "vn" }))
  expect(await visit("en-US")).toEqual([])
  expect(await visit("zh-CN")).toEqual([])
})
