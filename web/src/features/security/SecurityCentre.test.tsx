import { afterEach, beforeAll, expect, test, vi } from "vitest"
import type { InfoAnswer } from "../../lib/api.gen.ts"
import { infoQuery, queryClient } from "../../lib/queries.ts"
import { startTexts } from "../../lib/texts.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { SecurityCentre } from "./SecurityCentre.tsx"

const INFO: Partial<InfoAnswer> = {
  email: "p•••@people.example",
  login_wallets: [],
  out_password_set: false,
  out_password_locked: false,
  google_bound: false,
  anti_phishing: null,
  withdrawals_held_until: null,
}
let stage: Stage

beforeAll(startTexts)
afterEach(async () => {
  await stage.leave()
  queryClient.clear()
})

test("the withdrawal addresses are a row of the centre and lead to their own screen", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no server")))
  queryClient.setQueryData(infoQuery().queryKey, INFO as InfoAnswer)
  stage = await show(<SecurityCentre built={new Set(["google"] as const)} />, "/me1")
  const rows = [...document.querySelectorAll<HTMLAnchorElement>("a")].filter((row) =>
    /^(Withdrawal addresses|Authenticator)/.test(row.textContent ?? ""),
  )
  expect(rows.map((row) => row.getAttribute("href"))).toEqual(["/me1?view=google", "/address3"])
})
