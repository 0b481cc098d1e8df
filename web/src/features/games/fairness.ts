import type { BetRow, BlockShape, RoundProof, Side } from "../../lib/api.gen.ts"
import { decidingDigit } from "../../lib/hashes.ts"
import { compare, dropZeros } from "../../lib/money.ts"
import { payout } from "./payout.ts"

/**
 * What a bet's leaf says: `bet2|round|height|bet|asset|option|amount|multiple|at|nonce`. The form of earlier rounds, `bet1`,
 * has no height.
 */
export interface Leaf {
  round: string
  height: string | null
  bet: string
  asset: string
  option: string
  amount: string
  multiple: string
  at: string
}

/**
 * What is checked; `late`, `letters`, `lateBet` and `returned` are the ways in which void is right. `unnamed` stands for
 * `decider` where the leaf names no block.
 */
export type CheckName =
  | "rules"
  | "height"
  | "block"
  | "window"
  | "late"
  | "digit"
  | "letters"
  | "time"
  | "lateBet"
  | "prize"
  | "returned"
  | "leaf"
  | "decider"
  | "unnamed"
  | "included"

/** One thing that was computed anew; `found` is what came out, null where it can't be known yet. */
export interface Check {
  name: CheckName
  holds: boolean | null
  found: string | null
}

export type Outcome = "odd" | "even"

/** What a digit means. */
export const outcomeOf = (digit: number): Outcome => (digit % 2 === 1 ? "odd" : "even")

const PARTS: Readonly<Record<string, number>> = { bet1: 9, bet2: 10 }

/**
 * What the rules fix for every round, whatever an answer says: seconds after the close in which the block must come, and
 * blocks added to the height. Blocks are at most as many seconds apart as fit with them into the window.
 * Source: games.md, "Rounds on the chain"; terms.toml.
 */
const RESULT_WINDOW = 15
const MARGIN = 2
const MOST_BLOCK_SECONDS = RESULT_WINDOW / (MARGIN + 2)

/** Read a leaf; null where it isn't one. */
export function readLeaf(text: string): Leaf | null {
  const parts = text.split("|")
  const [form = "", round = "", ...rest] = parts
  if (PARTS[form] !== parts.length) return null
  const height = form === "bet1" ? null : (rest.shift() ?? null)
  const [bet = "", asset = "", option = "", amount = "", multiple = "", at = ""] = rest
  return { round, height, bet, asset, option, amount, multiple, at }
}

/** Whether the leaf stands for exactly this bet. */
export function leafStandsFor(text: string, bet: BetRow): boolean {
  const leaf = readLeaf(text)
  return (
    leaf !== null &&
    leaf.round === bet.round &&
    leaf.bet === bet.bet_id &&
    leaf.asset === bet.balance_type &&
    leaf.option === bet.option &&
    compare(leaf.amount, bet.amount) === 0 &&
    compare(leaf.multiple, bet.multiple) === 0 &&
    leaf.at === String(bet.time)
  )
}

/** The Merkle root that the steps lead to from a leaf. Leaves and nodes are hashed apart, as in RFC 6962. */
export async function rootFrom(leaf: string, steps: readonly Side[]): Promise<string> {
  let reached = await sha256([0], new TextEncoder().encode(leaf))
  for (const { side, hash } of steps) {
    const neighbour = bytesOf(hash)
    reached = side === "left" ? await sha256([1], neighbour, reached) : await sha256([1], reached, neighbour)
  }
  return [...reached].map((byte) => byte.toString(16).padStart(2, "0")).join("")
}

/** What the rules make of a hash for a bet: nothing without a digit, else the prize to the coin's last place. */
export function prizeBy(
  hash: string,
  bet: Pick<BetRow, "option" | "amount" | "multiple" | "balance_type">,
): string | null {
  const decided = decidingDigit(hash)
  if (decided === null) return null
  return outcomeOf(decided.digit) === bet.option ? payout(bet.amount, bet.multiple, bet.balance_type) : "0"
}

/**
 * Compute a bet's result anew from its round's block, and whether the bet is in the round's published root.
 *
 * Nothing here trusts the answer's own digit, outcome or prize: each is derived and then compared.
 */
export async function checkBet(bet: BetRow, round: RoundProof): Promise<Check[]> {
  return [...checkRound(round), ...betChecks(bet, round), ...(await leafChecks(bet, round))]
}

/**
 * Compute a round anew: the height from what was published, then the digit from the block at that height.
 *
 * The page can't ask the chain: whether it has this block, and had the published head then, the explorer shows and the
 * command verify-round checks.
 */
export function checkRound(round: RoundProof): Check[] {
  const { block, closes_at } = round
  const height = decidingHeight(round)
  const checks: Check[] = [
    { name: "rules", holds: keepsRules(round), found: null },
    { name: "height", holds: height === round.height, found: String(height) },
  ]
  if (block === null) return [...checks, unknown("block"), unknown("window"), unknown("digit")]
  return [
    ...checks,
    { name: "block", holds: block.number === round.height, found: String(block.number) },
    windowCheck(block.time > closes_at + RESULT_WINDOW * 1000, round.void_reason),
    digitCheck(block, round.void_reason),
  ]
}

function keepsRules({ margin, result_window, block_seconds, required }: RoundProof): boolean {
  const kept = margin === MARGIN && result_window === RESULT_WINDOW
  return kept && block_seconds >= 1 && block_seconds <= MOST_BLOCK_SECONDS && required >= 1
}

/** A block after its time must make the round void, and only such a block may be called late. */
function windowCheck(late: boolean, reason: string | null): Check {
  return { name: late ? "late" : "window", holds: late === (reason === "late_block"), found: null }
}

function digitCheck(block: BlockShape, reason: string | null): Check {
  const decided = decidingDigit(block.hash)
  if (decided === null) {
    return { name: "letters", holds: block.digit === null && reason !== null, found: null }
  }
  return {
    name: "digit",
    holds: decided.digit === block.digit && reason !== "no_digit",
    found: String(decided.digit),
  }
}

/** The height that follows from the head and time at which the round was published, before its first bet. */
export function decidingHeight(round: RoundProof): number {
  const blocks = Math.ceil((round.closes_at - round.published_at) / (round.block_seconds * 1000))
  return round.published_head + blocks + MARGIN
}

function betChecks(bet: BetRow, round: RoundProof): Check[] {
  const { height, block } = round
  if (block === null) return [unknown("time"), unknown("prize")]
  const same = bet.height === height && (bet.hash ?? block.hash) === block.hash
  // A bet that came when the block may have been known is given back alone.
  const late = bet.time >= block.time
  const back = late || round.void_reason !== null
  const prize = back ? dropZeros(bet.amount) : prizeBy(block.hash, bet)
  const exact = same && prize !== null && bet.prize !== null && compare(prize, bet.prize) === 0
  return [
    { name: late ? "lateBet" : "time", holds: !late || bet.status === "void", found: null },
    {
      name: back ? "returned" : "prize",
      holds: bet.prize === null ? null : exact && back === (bet.status === "void"),
      found: prize,
    },
  ]
}

async function leafChecks(bet: BetRow, round: RoundProof): Promise<Check[]> {
  const { leaf, proof } = bet
  const told: Check[] = [
    { name: "leaf", holds: leafStandsFor(leaf, bet), found: null },
    deciderCheck(leaf, bet, round),
  ]
  if (proof === null || round.merkle_root === null) return [...told, unknown("included")]
  const root = await rootFrom(leaf, proof)
  return [...told, { name: "included", holds: root === bare(round.merkle_root), found: root }]
}

/** Whether the block that is said to decide is the one that the root holds for this bet. */
function deciderCheck(text: string, bet: BetRow, round: RoundProof): Check {
  const leaf = readLeaf(text)
  if (leaf !== null && leaf.height === null) return unknown("unnamed")
  const height = leaf?.height ?? null
  return {
    name: "decider",
    holds: height === String(round.height) && height === String(bet.height),
    found: height,
  }
}

async function sha256(head: readonly number[], ...parts: readonly Uint8Array[]): Promise<Uint8Array> {
  const whole = new Uint8Array([...head, ...parts.flatMap((part) => [...part])])
  return new Uint8Array(await crypto.subtle.digest("SHA-256", whole))
}

function bytesOf(hex: string): Uint8Array {
  const pairs = bare(hex).match(/../g) ?? []
  return Uint8Array.from(pairs, (pair) => parseInt(pair, 16))
}

const unknown = (name: CheckName): Check => ({ name, holds: null, found: null })

const bare = (hex: string): string => hex.replace(/^0x/, "").toLowerCase()
