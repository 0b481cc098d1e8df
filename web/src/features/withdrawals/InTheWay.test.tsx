import { expect, test } from "vitest"
import type { InfoAnswer } from "../../lib/api.gen.ts"
import { show } from "../../testing/stage.tsx"
import { InTheWay, wayOf } from "./InTheWay.tsx"
import type { TermsAnswer } from "./queries.ts"

const NOW = 1_763_740_800_000
const open = { is_stopped: false, held_until: null }
const member = { out_password_set: true, google_bound: false, email: "a***e@example.com" }

test.each([
  ["nothing", open, member, null],
  ["no withdrawal password", open, { ...member, out_password_set: false }, "no_password"],
  ["neither e-mail nor authenticator", open, { ...member, email: "" }, "no_factor"],
  ["an authenticator alone", open, { ...member, email: "", google_bound: true }, null],
  ["a stop of the house", { ...open, is_stopped: true }, member, "stopped"],
  ["a hold to its last moment", { ...open, held_until: NOW + 1 }, member, "held"],
  ["a hold that is over", { ...open, held_until: NOW }, member, null],
])("%s in the way of a withdrawal", (_name, terms, info, way) => {
  expect(wayOf(terms, info, NOW)).toBe(way)
})

test.each([
  ["no_password", { ...member, out_password_set: false }, ["not met yet:", "met:"], "withdraw"],
  ["no_factor", { ...member, email: "" }, ["met:", "not met yet:"], "email"],
  [
    "no_password",
    { out_password_set: false, google_bound: false, email: "" },
    ["not met yet:", "not met yet:"],
    "withdraw",
  ],
] as const)(
  "what is missing (%s) is ticked off in a list, and leads to where it is set",
  async (way, info, states, view) => {
    const stage = await show(<InTheWay way={way} info={info as InfoAnswer} terms={open as TermsAnswer} />)
    const items = [...document.querySelectorAll("li")].map((item) => item.textContent)
    expect(items).toEqual([
      `${states[0]}A withdrawal password`,
      `${states[1]}A second factor: an e-mail or an authenticator`,
    ])
    expect(stage.get("a").getAttribute("href")).toBe(`/me1?view=${view}`)
    await stage.leave()
  },
)
