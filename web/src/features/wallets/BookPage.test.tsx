import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { dismiss, useNotices } from "../../lib/notices.ts"
import { queryClient } from "../../lib/queries.ts"
import { endSession, startSession } from "../../lib/session.ts"
import { answerWith, done } from "../../testing/answers.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { until } from "../../testing/until.ts"
import BookPage from "./BookPage.tsx"

const ADDRESS = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
const entry = { id: "7", chain: 1, address: ADDRESS, label: "My wallet", last_used_at: null }
const SAID: Record<string, unknown> = {
  "/api/user/info": { out_password_set: true, google_bound: true, email: "a***e@example.com" },
  "/api/lp/chain": { list: [{ chain_id: 1, name: "Ethereum", protocol: "ERC-20" }] },
  "/api/user/walletList": {
    list: [{ ...entry, created_at: 1_763_740_800_000, usable_at: 1_763_740_800_000 }],
    total: 1,
    next: null,
    wait_hours: 0,
  },
}
let stage: Stage

function Said() {
  return useNotices().map(({ id, text }) => (
    <button type="button" key={id} onClick={() => dismiss(id)}>
      {text}
    </button>
  ))
}

beforeEach(async () => {
  startSession("token")
  answerWith((path) => done(SAID[path]))
  stage = await show(
    <>
      <BookPage />
      <Said />
    </>,
    "/address3",
  )
  await until(() => stage.text().includes("My wallet") && stage.text().includes("Wallets guide"))
})
afterEach(async () => {
  await stage.leave()
  await endSession()
  queryClient.clear()
  vi.unstubAllGlobals()
})

test.each([
  ["Wallets guide", "/wallet-register"],
  ["Security centre", "/me1"],
])("below the book stands the way to %s", (name, path) => {
  expect(stage.get("a", name).getAttribute("href")).toBe(path)
})

test("an address is copied exactly as it is, not in its groups, and it is said", async () => {
  const copied: string[] = []
  const clipboard = { writeText: async (text: string) => void copied.push(text) }
  vi.stubGlobal("navigator", Object.create(navigator, { clipboard: { value: clipboard } }))
  await stage.press(stage.get("button", "Copy the address"))
  await until(() => stage.text().includes("copy success"))
  expect(copied).toEqual([ADDRESS])
  await stage.press(stage.get("button", "copy success"))
})

test("where copying is forbidden it is said how it goes by hand", async () => {
  const clipboard = { writeText: () => Promise.reject(new DOMException("no", "NotAllowedError")) }
  vi.stubGlobal("navigator", Object.create(navigator, { clipboard: { value: clipboard } }))
  await stage.press(stage.get("button", "Copy the address"))
  await until(() => stage.text().includes("Copying isn't allowed here."))
  await stage.press(stage.get("button", /^Copying isn't allowed/))
})
