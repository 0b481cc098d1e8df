import { renderToStaticMarkup } from "react-dom/server"
import { expect, test } from "vitest"
import { whyNot, whyNotDecide } from "./answering.ts"
import { Reviews } from "./Reviews.tsx"
import type { Deposit, Staff, Withdrawal } from "./shapes.ts"

const AT = 1_795_075_231_456
const of = (round: number, ...said: [string, number][]) =>
  ({
    account: "10000001",
    round,
    reviews: said.map(([staff, of]) => ({
      staff,
      verdict: "yes",
      reason: "",
      at: AT,
      round: of,
      counts: of === round && staff !== "gone",
    })),
  }) as unknown as Withdrawal
const anna = { name: "anna", roles: ["reviewer"], account: null } as unknown as Staff

test("who answered before it came back may answer again, and once a round", () => {
  expect(whyNot(of(1, ["anna", 0]), anna)).toBe(null)
  expect(whyNot(of(1, ["anna", 0], ["anna", 1]), anna)).toMatch(/^You have answered/)
  expect(whyNot(of(0, ["anna", 0]), anna)).toMatch(/^You have answered/)
  expect(whyNot(of(0, ["berta", 0]), anna)).toBe(null)
})

test("who is no reviewer or whose own it is doesn't answer", () => {
  expect(whyNot(of(0), { ...anna, roles: ["auditor"] })).toMatch(/^Reviewers answer/)
  expect(whyNot(of(0), { ...anna, account: "10000001" })).toMatch(/^This is your own/)
})

test("a member's deposit is a reviewer's to decide, the house's own a treasurer's, one's own somebody else's", () => {
  const deposit = (account: string) => ({ account }) as unknown as Deposit
  const who = (...roles: string[]) => ({ ...anna, roles, account: "10000001" }) as unknown as Staff
  expect(whyNotDecide(deposit("10000002"), who("reviewer"))).toBe(null)
  expect(whyNotDecide(deposit("10000002"), who("treasurer", "owner"))).toMatch(/^Reviewers decide/)
  expect(whyNotDecide(deposit("10000001"), who("reviewer"))).toMatch(/^This is your own/)
  expect(whyNotDecide(deposit(""), who("treasurer"))).toBe(null)
  expect(whyNotDecide(deposit(""), who("reviewer"))).toMatch(/^Treasurers decide/)
})

test("what was said before it came back stands apart from what counts", () => {
  const html = renderToStaticMarkup(<Reviews of={of(1, ["anna", 0], ["berta", 1], ["anna", 1])} />)
  const text = html.replace(/<[^>]*>/g, "|")
  expect(text).toMatch(/round 2.*berta.*anna.*Before it came back.*anna/)
  expect(text).not.toMatch(/Before it came back.*berta/)
})

test("who has ceased to review is said to count no longer", () => {
  const html = renderToStaticMarkup(<Reviews of={of(0, ["gone", 0], ["anna", 0])} />)
  expect(html.match(/No reviewer any more/g)).toHaveLength(1)
})

test("a new round begins with nobody's answer", () => {
  const html = renderToStaticMarkup(<Reviews of={of(1, ["anna", 0])} />)
  expect(html).toMatch(/Nobody has answered yet.*Before it came back.*anna/)
})
