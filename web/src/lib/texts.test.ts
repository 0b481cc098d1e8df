// @vitest-environment document
import { i18n } from "@lingui/core"
import { beforeEach, expect, test } from "vitest"
import { soon } from "../testing/soon.ts"
import { LANGUAGES } from "./languages.ts"
import { callQuery, queryClient } from "./queries.ts"
import { getSettings, setSettings } from "./settings.ts"
import { loadTextsOf, startTexts } from "./texts.ts"

await startTexts()
await loadTextsOf("games")

beforeEach(async () => {
  setSettings({ language: "en" })
  await soon(() => expect(i18n.locale).toBe("en"))
})

test("each language comes at once, with the texts of the features in use, and is kept for the next visit", async () => {
  const counts = new Set<number>()
  for (const { code, tag } of LANGUAGES) {
    setSettings({ language: code })
    await soon(() => expect(i18n.locale).toBe(tag))
    expect(document.documentElement.lang).toBe(tag)
    expect(JSON.parse(localStorage.getItem("kalos.settings") ?? "{}").language).toBe(code)
    counts.add(Object.keys(i18n.messages).length)
  }
  // The page's own texts and the games', as many in each language.
  expect([...counts]).toEqual([expect.toSatisfy((count: number) => count > 150)])
})

test("of two choices the later one counts", async () => {
  setSettings({ language: "th" })
  setSettings({ language: "ko" })
  await soon(() => expect(i18n.locale).toBe("ko"))
  await new Promise((done) => setTimeout(done, 20))
  expect([i18n.locale, getSettings().language]).toEqual(["ko", "ko"])
})

test("answers with the server's sentences are asked for again, and only when the language changes", async () => {
  const stale = (key: readonly unknown[]) => queryClient.getQueryState(key)?.isInvalidated
  const finance = callQuery("/api/finance/userFinance", {}).queryKey
  const load = queryClient.getQueryCache()
  load.build(queryClient, queryClient.defaultQueryOptions({ queryKey: finance })).setData({})
  load
    .build(
      queryClient,
      queryClient.defaultQueryOptions({ queryKey: ["picture"], staleTime: Number.POSITIVE_INFINITY }),
    )
    .setData({})
  setSettings({ hide: true })
  expect(stale(finance)).toBe(false)
  setSettings({ language: "ja" })
  expect([stale(finance), stale(["picture"])]).toEqual([true, false])
})
