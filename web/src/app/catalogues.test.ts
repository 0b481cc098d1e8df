import { expect, test } from "vitest"
import { faultsOf, type Same, type Text } from "../../catalogues.ts"

const text = (message: string, translation: string, more: Partial<Text> = {}): Text => ({
  file: "vi.po",
  tag: "vi",
  id: message,
  message,
  translation,
  ...more,
})
const faults = (message: string, translation: string, sames: Same[] = []) =>
  faultsOf([text(message, translation)], sames)

test("a whole translation has no fault", () => {
  expect(faults("Bet {0} on <0>{1}</0>", "Cược <0>{1}</0>: {0}")).toEqual([])
  expect(faults("{n, plural, one {# bet} other {# bets}}", "{n, plural, other {# cược}}")).toEqual([])
  expect(
    faultsOf([text("{n, plural, one {# bet} other {# bets}}", "{n, plural, one {#} other {#s}}")], [], "vi"),
  ).toEqual([])
})

test.each([
  ["a text without a translation", "Bet", " "],
  ["English left standing", "Bet", "Bet"],
  ["a hole that is gone", "Bet {0}", "Cược"],
  ["a hole too many", "Bet {0}", "Cược {0} {0}"],
  ["another hole", "Bet {stake}", "Cược {amount}"],
  ["a tag that is gone", "<0>Terms</0>", "Điều khoản"],
  ["a tag that isn't closed", "<0>Terms</0>", "<0>Điều khoản<0>"],
  ["a tag closed before it opens", "<0>Terms</0>", "</0>Điều khoản<0>"],
  ["braces that don't match", "Bet {0}", "Cược {0"],
  [
    "a plural branch that the language hasn't",
    "{n, plural, one {# bet} other {# bets}}",
    "{n, plural, one {# cược} other {# cược}}",
  ],
  [
    "a plural branch without its number",
    "{n, plural, one {# bet} other {# bets}}",
    "{n, plural, other {cược}}",
  ],
  ["an exact branch that is gone", "{n, plural, =0 {none} one {#} other {#}}", "{n, plural, other {#}}"],
  ["a plural made plain", "{n, plural, one {# bet} other {# bets}}", "{n} cược"],
])("%s is a fault", (_name, message, translation) => {
  expect(faults(message, translation)).toHaveLength(1)
})

test("a text may be English where the list says so, and only there", () => {
  const sames = [{ text: "½", reason: "A sign" }]
  expect(faults("½", "½", sames)).toEqual([])
  expect(faults("½", "½", [{ text: "½", reason: "A sign", in: ["th"] }])).toHaveLength(1)
  expect(faults("½", "nửa", sames)).toEqual(['same.json: "½" stands there for nothing in vi'])
  expect(faults("Bet", "Cược", sames)).toEqual(['same.json: "½" stands there for nothing'])
  expect(faults("½", "½", [{ text: "½", reason: "" }])).toEqual(['same.json: "½" has no reason'])
})

test("a text that two catalogues of a language translate differently is a fault", () => {
  const twice = (other: string, tag = "vi") =>
    faultsOf([text("Closed", "Đã đóng"), text("Closed", other, { file: "games/vi.po", tag })], [])
  expect(twice("Đã đóng")).toEqual([])
  expect(twice("ปิด", "th")).toEqual([])
  expect(twice("Đóng lúc")).toHaveLength(1)
})
