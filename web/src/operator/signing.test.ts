import { readFileSync } from "node:fs"
import { expect, it, test } from "vitest"
import { isLimitOf, isOf, proveKey, signAs } from "./signing.ts"

interface Vector {
  name: string
  passphrase: string
  public_key: string
  message: string
  signature: string
}
// Made by another implementation; tests of the server hold it against theirs.
const vectors: Vector[] = JSON.parse(readFileSync("../contract/reviewer_vectors.json", "utf8"))

it.each(vectors)("$name signs $message as the vector says", async (vector) => {
  const { publicKey, signature } = await signAs(vector.name, vector.passphrase, vector.message)
  expect([publicKey, signature]).toEqual([vector.public_key, vector.signature])
})

test("a new key proves itself as the vector says", async () => {
  const vector = vectors.find(({ message }) => message.startsWith("kalos reviewer key"))
  expect(vector).toBeDefined()
  const { publicKey, signature } = await proveKey(vector?.name ?? "", vector?.passphrase ?? "")
  expect([publicKey, signature]).toEqual([vector?.public_key, vector?.signature])
})

test("the same passphrase is another key for another name", async () => {
  const [one, other] = await Promise.all([signAs("anna", "a b c", "x"), signAs("berta", "a b c", "x")])
  expect(one.publicKey).not.toBe(other.publicKey)
})

const shown = {
  id: "4711",
  asset: "USDT",
  amount: "2500.00",
  address: `0x${"52908400".repeat(5)}`,
  needed: 2,
  round: 1,
}
const lines = ["kalos withdrawal 2", "4711", "USDT", "2500000000", "31337", shown.address, "2", "1"]

test("a text of the withdrawal that is shown may be signed", () => {
  expect(isOf(lines.join("\n"), shown)).toBe(true)
  expect(isOf(lines.join("\n"), { ...shown, amount: "2500" })).toBe(true)
  expect(isOf(lines.join("\n"), { ...shown, amount: "2500.00000000" })).toBe(true)
  const small = { ...shown, asset: "KLS", amount: "0.00000120" }
  expect(isOf(lines.with(2, "KLS").with(3, "120").join("\n"), small)).toBe(true)
})

it.each([
  ["kind", 0, "kalos withdrawal 1"],
  ["number", 1, "4712"],
  ["coin", 2, "KLS"],
  ["amount", 3, "2500000001"],
  ["amount, a thousand times as much", 3, "2500000000000"],
  ["amount, a tenth of it", 3, "250000000"],
  ["amount that isn't one", 3, "-2500000000"],
  ["address", 5, `0x${"52908401".repeat(5)}`],
  ["reviewers", 6, "1"],
  ["round", 7, "0"],
  ["end", 7, "1\nmore"],
])("a text of another %s may not", (_what, place, text) => {
  expect(isOf(lines.with(place, text).join("\n"), shown)).toBe(false)
})

it.each(["2500.0000001", "2,500", "", "2500.", "1e3"])(
  "nothing may be signed of an amount that is shown as %j",
  (amount) => {
    expect(isOf(lines.join("\n"), { ...shown, amount })).toBe(false)
  },
)

const order = { before: { hour: "200000" }, after: { hour: "300000" } }
test("a text of the limit that is shown may be signed", () => {
  expect(isLimitOf("kalos signer limit 1\n7\nhour\n200000\n300000", order)).toBe(true)
})

it.each([
  "kalos signer limit 2\n7\nhour\n200000\n300000",
  "kalos withdrawal 2\n7\nhour\n200000\n300000",
  "kalos signer limit 1\n0\nhour\n200000\n300000",
  "kalos signer limit 1\n7\nday\n200000\n300000",
  "kalos signer limit 1\n7\nhour\n200000\n3000000",
  "kalos signer limit 1\n7\nhour\n20000\n300000",
  "kalos signer limit 1\n7\nhour\n200000\n300000\n",
])("%j is no text of it", (message) => {
  expect(isLimitOf(message, order)).toBe(false)
})
