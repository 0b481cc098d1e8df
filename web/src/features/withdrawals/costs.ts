import { compare, isNegative, isZero, minus, plus, times } from "../../lib/money.ts"
import { least, over, overUp, timesUp } from "../../lib/rounding.ts"
import { SCALES } from "../../lib/scales.ts"
import type { Means, TermsAnswer } from "./queries.ts"
import type { Coin } from "./search.ts"

/** What figures follow from: the house's terms, and what the member has. */
export type CostTerms = Pick<TermsAnswer, "assets" | "price" | "selling_price" | "auto_max">

export interface Costs {
  /** In USDT. */
  value: string
  /** In KLS. */
  fee: string
  /** In USDT. */
  feeValue: string
  /** KLS that lacks for the fee. */
  missing: string
  /** What it costs in USDT. */
  purchase: string
}

const NOTHING: Pick<Means, "available"> = { available: "0" }

export const meansOf = ({ assets }: CostTerms, coin: Coin): Means | undefined =>
  assets.find(({ asset }) => asset === coin)
const have = (terms: CostTerms, coin: Coin): string => (meansOf(terms, coin) ?? NOTHING).available
const positive = (amount: string): string => (isNegative(amount) ? "0" : amount)

/** What a withdrawal costs, rounded as the house rounds it. Source: ledger.md, "Rounding". */
export function costsOf(terms: CostTerms, coin: Coin, amount: string): Costs {
  const rate = meansOf(terms, coin)?.fee_rate ?? "0"
  const value = coin === "KLS" ? timesUp(amount, terms.price, SCALES.USDT) : amount
  const fee =
    coin === "KLS"
      ? timesUp(amount, rate, SCALES.KLS)
      : overUp(times(amount, rate, 20), terms.price, SCALES.KLS)
  const own = coin === "KLS" ? amount : "0"
  const missing = least(fee, positive(minus(plus(own, fee), have(terms, "KLS"))))
  return {
    value,
    fee,
    feeValue: timesUp(fee, terms.price, SCALES.USDT),
    missing,
    purchase: timesUp(missing, terms.selling_price, SCALES.USDT),
  }
}

/** What the member agrees to with these figures: the house takes no more. */
export const agreedOf = ({ fee, purchase }: Costs, buysFee: boolean) => ({
  most_fee: fee,
  most_purchase: buysFee ? purchase : "0",
})

export type AmountProblem = "below_minimum" | "over_balance" | "over_room" | "fee_short" | "purchase_short"

/** Why an amount can't be withdrawn; null where it can. The server decides in the end: this only saves a refusal. */
export function amountProblem(
  terms: CostTerms,
  coin: Coin,
  amount: string,
  buysFee: boolean,
): AmountProblem | null {
  const means = meansOf(terms, coin)
  if (means === undefined || compare(amount, means.minimum) < 0) return "below_minimum"
  if (compare(amount, means.available) > 0) return "over_balance"
  const { value, missing, purchase } = costsOf(terms, coin, amount)
  if (compare(value, means.daily_left) > 0) return "over_room"
  if (isZero(missing)) return null
  if (!buysFee) return "fee_short"
  const spent = coin === "USDT" ? plus(amount, purchase) : purchase
  return compare(spent, have(terms, "USDT")) > 0 ? "purchase_short" : null
}

/** The most that can be withdrawn so that its fee can be paid too, bought where that is chosen. */
export function mostOf(terms: CostTerms, coin: Coin, buysFee: boolean): string {
  const means = meansOf(terms, coin)
  if (means === undefined) return "0"
  const room = coin === "KLS" ? over(means.daily_left, terms.price, SCALES.KLS) : means.daily_left
  const limit = least(means.available, room)
  if (fits(terms, coin, limit, buysFee)) return limit
  const found = coin === "KLS" ? mostKls(means) : mostUsdt(terms, means)
  const most = least(limit, found)
  // What was rounded up may lack a unit or two.
  const unit = `0.${"1".padStart(SCALES[coin], "0")}`
  const lower = [most, minus(most, unit), minus(minus(most, unit), unit)].map(positive)
  return lower.find((amount) => fits(terms, coin, amount, buysFee)) ?? limit
}

function fits(terms: CostTerms, coin: Coin, amount: string, buysFee: boolean): boolean {
  const problem = amountProblem(terms, coin, amount, buysFee)
  // Without a purchase an amount in USDT leaves the fee as it is: that is told, and KLS offered.
  return problem === null || problem === "below_minimum" || (problem === "fee_short" && coin === "USDT")
}

const mostKls = ({ available, fee_rate }: Means): string => over(available, plus("1", fee_rate), SCALES.KLS)

/** amount + (amount · rate / price − KLS) · selling price = available */
function mostUsdt(terms: CostTerms, { available, fee_rate }: Means): string {
  const saved = times(have(terms, "KLS"), terms.selling_price, SCALES.USDT)
  const dearer = plus("1", over(times(fee_rate, terms.selling_price, 20), terms.price, 18))
  return over(plus(available, saved), dearer, SCALES.USDT)
}
