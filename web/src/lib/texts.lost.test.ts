// @vitest-environment document
import { i18n } from "@lingui/core"
import { expect, test, vi } from "vitest"
import { soon } from "../testing/soon.ts"
import { getSettings, setSettings } from "./settings.ts"
import { loadTextsOf, startTexts } from "./texts.ts"

const [late, slow] = vi.hoisted(() => {
  const gate = () => {
    let resolve: () => void = () => undefined
    const promise = new Promise<void>((done) => {
      resolve = done
    })
    return { promise, resolve }
  }
  return [gate(), gate()] as const
})
// What the network loses, at once and late.
vi.mock("../locales/ja.po", () => {
  throw new TypeError("a lost connection")
})
vi.mock("../locales/th.po", async () => {
  await late.promise
  throw new TypeError("a lost connection")
})
vi.mock("../locales/ko.po", async (original) => {
  await slow.promise
  return await original()
})

test("a first language that doesn't come gives way to English, and stays chosen", async () => {
  setSettings({ language: "ja" })
  await startTexts()
  await loadTextsOf("games")
  expect([i18n.locale, document.documentElement.lang, getSettings().language]).toEqual(["en", "en", "ja"])
  expect(Object.keys(i18n.messages).length).toBeGreaterThan(150)
})

test("an older choice that fails late takes nothing from a newer one, and a present one goes back", async () => {
  setSettings({ language: "th" })
  setSettings({ language: "ko" })
  late.resolve()
  await new Promise((done) => setTimeout(done, 50))
  expect([i18n.locale, getSettings().language]).toEqual(["en", "ko"])
  slow.resolve()
  await soon(() => expect(i18n.locale).toBe("ko"))
  setSettings({ language: "ja" })
  await soon(() => expect(getSettings().language).toBe("ko"))
})
