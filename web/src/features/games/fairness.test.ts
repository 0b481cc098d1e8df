import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import type { BetRow, RoundProof, Side } from "../../lib/api.gen.ts"
import { decidingDigit } from "../../lib/hashes.ts"
import {
  checkBet,
  checkRound,
  decidingHeight,
  leafStandsFor,
  outcomeOf,
  prizeBy,
  readLeaf,
  rootFrom,
} from "./fairness.ts"

const sha = (...parts: (Buffer | string)[]) =>
  createHash("sha256")
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest()
const leafOf = (text: string) => sha(Buffer.of(0), text)
const nodeOf = (left: Buffer, right: Buffer) => sha(Buffer.of(1), left, right)

const EARLIER = "bet1|odd_even-60-1763740800|4711|USDT|odd|50.000000|1.95|1763740770123|00ff"
const LEAF = "bet2|odd_even-60-1763740800|900|4711|USDT|odd|50.000000|1.95|1763740770123|00ff"
const HASH = `0x${"ab".repeat(30)}c7de`
const BET: BetRow = {
  bet_id: "4711",
  game: "odd_even",
  scene_id: "odd_even-60",
  round: "odd_even-60-1763740800",
  balance_type: "USDT",
  amount: "50",
  option: "odd",
  multiple: "1.95",
  profit: "0.95",
  prize: "97.5",
  tie: false,
  height: 900,
  hash: HASH,
  digit: 7,
  status: "won",
  time: 1763740770123,
  leaf: LEAF,
  proof: [],
}
const ROUND = {
  round: BET.round,
  height: 900,
  closes_at: 1763740800000,
  published_at: 1763740735001,
  published_head: 865,
  block_seconds: 2,
  margin: 2,
  result_window: 15,
  required: 3,
  void_reason: null,
  block: { number: 900, hash: HASH, parent: "0x0", time: 1763740806000, digit: 7, digit_index: 63 },
  merkle_root: leafOf(LEAF).toString("hex"),
} as unknown as RoundProof

const holds = async (bet: Partial<BetRow>, round: Partial<RoundProof> = {}) =>
  Object.fromEntries(
    (await checkBet({ ...BET, ...bet }, { ...ROUND, ...round })).map(({ name, holds }) => [name, holds]),
  )

test.each([
  ["0x00000000000000000000000000000000000000000000000000000000000000a1", 1, "odd"],
  ["0x5fabcdefabcdefabcdefabcdefabcdefabcdefabcdefabcdefabcdefabcdefab", 5, "odd"],
  ["0xabcdef8abcdefabcdefabcdefabcdefabcdefabcdefabcdefabcdefabcdefabc", 8, "even"],
  ["1234567890fffffffffffffffffffffffffffffffffffffffffffffffffffffff", 0, "even"],
  ["0x7", 7, "odd"],
])("letters at the end of %s are skipped: %i, %s", (hash, digit, outcome) => {
  expect(decidingDigit(hash)?.digit).toBe(digit)
  expect(outcomeOf(digit)).toBe(outcome)
})

test("the 0 of a leading 0x decides nothing: a hash of letters alone has no digit", () => {
  expect(decidingDigit(`0x${"abcdef".repeat(10)}abcd`)).toBeNull()
  expect(prizeBy(`0x${"abcdef".repeat(10)}abcd`, BET)).toBeNull()
})

test("a prize is the stake times the multiple, cut at the coin's scale, or nothing", () => {
  expect(prizeBy(HASH, BET)).toBe("97.5")
  expect(prizeBy(HASH, { ...BET, amount: "10.000001" })).toBe("19.500001")
  expect(prizeBy(HASH, { ...BET, option: "even" })).toBe("0")
})

test("a thousand hashes agree with the rule written another way", () => {
  for (let seed = 0; seed < 1000; seed++) {
    const hash = sha(String(seed)).toString("hex")
    expect(decidingDigit(hash)?.digit).toBe(Number(hash.replace(/[a-f]/g, "").at(-1)))
  }
})

test("a root follows from a leaf and its neighbours on both sides", async () => {
  const [a, b, c] = ["one", "two", "three"].map((text) => leafOf(text)) as [Buffer, Buffer, Buffer]
  const root = nodeOf(nodeOf(a, b), c).toString("hex")
  const step = (side: Side["side"], hash: Buffer): Side => ({ side, hash: hash.toString("hex") })
  expect(await rootFrom("one", [step("right", b), step("right", c)])).toBe(root)
  expect(await rootFrom("two", [step("left", a), step("right", c)])).toBe(root)
  expect(await rootFrom("three", [step("left", nodeOf(a, b))])).toBe(root)
  expect(await rootFrom("two", [step("right", a), step("right", c)])).not.toBe(root)
  expect(await rootFrom("four", [step("left", a), step("right", c)])).not.toBe(root)
})

test("a lone bet's leaf is the root", async () => {
  expect(await rootFrom(LEAF, [])).toBe(leafOf(LEAF).toString("hex"))
})

test("a leaf is read whole or not at all", () => {
  expect(readLeaf(LEAF)?.amount).toBe("50.000000")
  expect(readLeaf(LEAF)?.height).toBe("900")
  expect(readLeaf(EARLIER)).toEqual({ ...readLeaf(LEAF), height: null })
  for (const [own, other] of [
    ["bet1", "bet2"],
    ["bet2", "bet1"],
    ["bet2", "bet3"],
    ["bet2", "constructor"],
  ] as const) {
    const leaf = own === "bet1" ? EARLIER : LEAF
    expect(readLeaf(`${own}|x`)).toBeNull()
    expect(readLeaf(`${leaf}|more`)).toBeNull()
    expect(readLeaf(leaf.replace(own, other))).toBeNull()
  }
})

interface Vector {
  bet: Record<"round_id" | "asset" | "option" | "amount" | "multiple" | "nonce", string> &
    Record<"version" | "height" | "at", number>
  leaf: string
  hash: string
}

test.each<Vector>(JSON.parse(readFileSync("../contract/leaf-vectors.json", "utf8")))(
  "the server's leaf $leaf is read and hashed alike",
  async ({ bet, leaf, hash }) => {
    expect(readLeaf(leaf)).toMatchObject({
      round: bet.round_id,
      height: bet.version === 1 ? null : String(bet.height),
      asset: bet.asset,
      option: bet.option,
      amount: bet.amount,
      multiple: bet.multiple,
      at: String(bet.at),
    })
    expect(await rootFrom(leaf, [])).toBe(hash)
  },
)

test.each(["round", "bet_id", "balance_type", "option", "amount", "multiple", "time"] as const)(
  "a leaf of another %s isn't this bet's",
  (field) => {
    expect(leafStandsFor(LEAF, BET)).toBe(true)
    expect(leafStandsFor(LEAF, { ...BET, [field]: field === "time" ? 1 : "3" })).toBe(false)
  },
)

test("an honest bet passes every check", async () => {
  expect(await holds({})).toEqual({
    rules: true,
    height: true,
    block: true,
    window: true,
    digit: true,
    time: true,
    prize: true,
    leaf: true,
    decider: true,
    included: true,
  })
})

test("each false word is found by its own check", async () => {
  expect((await holds({ prize: "97.4" })).prize).toBe(false)
  expect((await holds({ option: "even" })).prize).toBe(false)
  expect((await holds({ height: 901 })).prize).toBe(false)
  expect((await holds({ hash: "0x12" })).prize).toBe(false)
  expect((await holds({}, { height: 901 })).height).toBe(false)
  expect((await holds({}, { height: 901, published_head: 866 })).block).toBe(false)
  expect((await holds({}, { height: 901, published_head: 866 })).decider).toBe(false)
  expect((await holds({ height: 899 })).decider).toBe(false)
  expect((await holds({}, { closes_at: 1763740790000, published_at: 1763740725001 })).late).toBe(false)
  expect((await holds({ time: 1763740806000 })).lateBet).toBe(false)
  expect((await holds({}, { merkle_root: "00" })).included).toBe(false)
  expect((await holds({ amount: "51" })).leaf).toBe(false)
  expect(
    (await holds({}, { block: { ...(ROUND.block as NonNullable<RoundProof["block"]>), digit: 8 } })).digit,
  ).toBe(false)
})

test.each([-1, 1])("a proof for the block %i beside the one that the leaf names is none", async (shift) => {
  const block = ROUND.block as NonNullable<RoundProof["block"]>
  const height = 900 + shift
  const beside = { height, published_head: ROUND.published_head + shift, block: { ...block, number: height } }
  const agrees = {
    rules: true,
    height: true,
    block: true,
    window: true,
    digit: true,
    time: true,
    prize: true,
  }
  expect(await holds({ height }, beside)).toEqual({ ...agrees, leaf: true, decider: false, included: true })
  const leaf = LEAF.replace("|900|", `|${height}|`)
  expect(await holds({ height, leaf }, beside)).toEqual({
    ...agrees,
    leaf: true,
    decider: true,
    included: false,
  })
  expect((await holds({ height })).decider).toBe(false)
  expect((await holds({}, beside)).decider).toBe(false)
})

test("a leaf of an earlier round names no block, and that is told", async () => {
  const round = { merkle_root: leafOf(EARLIER).toString("hex") }
  const found = await holds({ leaf: EARLIER }, round)
  expect(found).toMatchObject({ leaf: true, unnamed: null, included: true })
  expect(found).not.toHaveProperty("decider")
})

test("a bet of a void round gives exactly the stake back", async () => {
  const block = { ...(ROUND.block as NonNullable<RoundProof["block"]>), time: ROUND.closes_at + 15_001 }
  const round = { block, void_reason: "late_block" as const }
  const whole = await holds({ status: "void", prize: "50" }, round)
  expect(whole).toMatchObject({ late: true, time: true, returned: true })
  expect((await holds({ status: "void", prize: "97.5" }, round)).returned).toBe(false)
  expect((await holds({ status: "won", prize: "97.5" }, round)).returned).toBe(false)
})

test("a bet that came too late is given back alone", async () => {
  const time = 1763740806000
  const leaf = LEAF.replace("1763740770123", String(time))
  expect(await holds({ status: "void", prize: "50", time, leaf })).toMatchObject({
    lateBet: true,
    returned: true,
  })
  expect(await holds({ status: "won", prize: "97.5", time, leaf })).toMatchObject({
    lateBet: false,
    returned: false,
  })
})

test("nobody can call a round void that isn't", async () => {
  expect((await holds({ status: "void", prize: "50" })).prize).toBe(false)
  expect((await holds({ status: "void", prize: "50" }, { void_reason: "late_block" })).window).toBe(false)
  expect((await holds({ status: "void", prize: "50" }, { void_reason: "no_digit" })).digit).toBe(false)
})

test("what isn't known yet is neither right nor wrong", async () => {
  const waiting = await holds(
    { status: "awaiting_draw", prize: null, hash: null, proof: null },
    { block: null, merkle_root: null },
  )
  expect(waiting).toEqual({
    rules: true,
    height: true,
    block: null,
    window: null,
    digit: null,
    time: null,
    prize: null,
    leaf: true,
    decider: true,
    included: null,
  })
})

test("the height follows from the head, the time and the margin when the round was published", () => {
  // 64.999 s are 32.5 blocks of 2 s, so 33; 865 + 33 + 2
  expect(decidingHeight(ROUND)).toBe(900)
  expect(decidingHeight({ ...ROUND, published_at: ROUND.closes_at - 2000 })).toBe(868)
})

test("a round that is void for a late block or for a hash of letters is rightly so", () => {
  const block = ROUND.block as NonNullable<RoundProof["block"]>
  const found = (round: Partial<RoundProof>, name: string) =>
    checkRound({ ...ROUND, ...round }).find((check) => check.name === name)?.holds
  const late = { ...block, time: ROUND.closes_at + 15_001 }
  expect(found({ void_reason: "late_block", block: late }, "late")).toBe(true)
  expect(found({ void_reason: null, block: late }, "late")).toBe(false)
  const letters = { ...block, hash: "0xabcdef", digit: null }
  expect(found({ void_reason: "no_digit", block: letters }, "letters")).toBe(true)
  expect(found({ void_reason: null, block: letters }, "letters")).toBe(false)
})

test("the rules' own numbers count, and an answer that brings others is told", () => {
  const block = ROUND.block as NonNullable<RoundProof["block"]>
  const found = (round: Partial<RoundProof>, name: string) =>
    checkRound({ ...ROUND, ...round }).find((check) => check.name === name)?.holds
  const shortened = { result_window: 1, void_reason: "late_block" as const }
  expect(found(shortened, "rules")).toBe(false)
  expect(found(shortened, "window")).toBe(false)
  for (const margin of [0, 1, 3, 4]) {
    const height = 898 + margin
    const moved = { margin, height, block: { ...block, number: height } }
    expect(found(moved, "rules")).toBe(false)
    expect(found(moved, "height")).toBe(false)
  }
  expect(found({ required: 0 }, "rules")).toBe(false)
  expect(found({ block_seconds: 4 }, "rules")).toBe(false)
  expect(found({ block_seconds: 3 }, "rules")).toBe(true)
})
