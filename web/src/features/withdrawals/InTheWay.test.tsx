import { expect, test } from "vitest"
import { wayOf } from "./InTheWay.tsx"

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
