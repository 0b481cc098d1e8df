import Big from "big.js"
import { formatAmount, times } from "../lib/money.ts"
import { formatDateTime } from "../lib/time.ts"
import type { AuditRow, Bulletin, Command, Deposit, Results, Setting, Ticket, Withdrawal } from "./shapes.ts"

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long something has waited, in its two largest units. */
export function ageOf(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const days = Math.floor(whole / DAY)
  const hours = Math.floor((whole % DAY) / HOUR)
  const minutes = Math.floor((whole % HOUR) / MINUTE)
  if (days > 0) return `${days} d ${hours} h`
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min` : `${whole} s`
}

export const ageSince = (at: number, now: number): string => ageOf((now - at) / 1000)

const RISKS: Record<Withdrawal["risks"][number]["reason"], string> = {
  new_address: "The address is new",
  recent_security_change: "Security settings changed recently",
  over_auto_max: "Over the most that goes out by itself",
  over_daily_limit: "Over the day's limit",
  listed_address: "An address is on a sanctions list",
  kyc_free_limit: "Over the limit without an identity check",
  account_frozen: "The account was frozen after it was let go",
  security_hold: "Security settings changed after it was let go, held until",
  house_address: "The address is one of the house's own",
  address_removed: "Its address was deleted after it was let go",
  restored: "It was on its way when the database was copied that was restored",
  listed_since: "Its address came onto a sanctions list after it was asked for",
  young_address: "Its address is too new for the signer until",
  not_reviewed: "The signer asks for more signatures that it trusts",
}

const SUSPENSE: Record<NonNullable<Deposit["reason"]>, string> = {
  below_minimum: "Under the minimum",
  closed_account: "The account is closed",
  listed_sender: "The list of sanctions has its sender",
  other_asset: "Another coin than the account takes",
  house: "Arrived at the house's own address",
  repeated: "Its transaction was credited before",
  orphaned: "Its block has left the chain",
  reverted: "Its transaction failed",
}

const KINDS: Record<Command["kind"], string> = {
  setting: "Setting",
  correction: "Correction",
  price: "Price",
  issue: "Issue of KLS",
  switch: "Country switch",
  signer_limit: "Limit of the signer",
  money_out: "Stop of money out",
}

const PRODUCTS: Record<Results["turnover"][number]["product"], string> = {
  games: "Games, settled stakes",
  top_ups: "Top-ups",
  withdrawals: "Withdrawals",
  withdrawal_fees: "Withdrawal fees",
  fee_purchases: "KLS sold for fees",
}

const FEATURES: Record<string, string> = {
  nft: "NFT",
  otc: "OTC market",
  spot: "Spot market",
  divvy: "Profit pool",
  racer_quiz: "Racer and quiz",
}

const STATES: Record<Command["state"], string> = {
  open: "Waits for a signature",
  signed: "Signed, being carried out",
  carried_out: "Carried out",
  refused: "Refused",
  expired: "Expired",
}

const BULLETINS: Record<Bulletin["state"], string> = {
  shown: "Shown",
  waiting: "Waits for its time",
  over: "Over",
  retracted: "Withdrawn",
}

const TICKETS: Record<Ticket["state"], string> = {
  open: "Waits for us",
  answered: "Answered",
  closed: "Closed",
}

const ACTS: Record<AuditRow["act"], string> = {
  "bulletin.publish": "Published a bulletin",
  "bulletin.retract": "Withdrew a bulletin",
  "command.submit": "Submitted a command",
  "command.sign": "Signed a command",
  "command.refuse": "Refused a command",
  "command.carried_out": "Command carried out",
  "command.refused": "Command not possible",
  "command.expire": "Command expired",
  "deposit.credit": "Credited a deposit",
  "deposit.refuse": "Refused a deposit",
  login: "Logged in",
  "login.refused": "Log-ins refused",
  logout: "Logged out",
  "machine.order": "Ordered on the machine",
  "member.freeze": "Froze a member's account",
  "member.open": "Opened a member's account",
  restore: "Went back in time",
  "staff.account": "Named a person's own account",
  "staff.add": "Joined the staff",
  "staff.authenticator": "New authenticator",
  "staff.authenticator_shown": "Asked for a new authenticator",
  "staff.back": "Works here again",
  "staff.end": "Left the staff",
  "staff.key": "New signing key",
  "staff.password": "New password",
  "staff.renewal_refused": "Renewals refused",
  "stray.left": "Left another token where it is",
  "stray.returned": "Another token was sent back",
  "ticket.answer": "Answered a ticket",
  "ticket.close": "Closed a ticket",
  "withdrawal.no": "Refused a withdrawal",
  "withdrawal.yes": "Approved a withdrawal",
}

/** As the wire names them. */
export const LANGUAGES: Readonly<Record<string, string>> = {
  en: "English",
  vi: "Vietnamese",
  th: "Thai",
  ja: "Japanese",
  ko: "Korean",
  zh_CN: "Chinese, simplified",
  tw: "Chinese, traditional",
}

/** What stands for itself: a word of the wire with spaces. */
const plain = (word: string) => {
  const text = word.replaceAll(/[_.]/g, " ")
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A list holds all words of the contract; a server that is newer than this page may know more. */
const from = (words: Readonly<Record<string, string>>, word: string): string => words[word] ?? plain(word)

export const riskOf = (reason: string): string => from(RISKS, reason)
export const suspenseOf = (reason: string | null): string => (reason === null ? "—" : from(SUSPENSE, reason))

/** What a risk says besides its name: a time, an amount in USDT, or which other address than where it goes to. */
export const detailOf = (reason: string, detail: string): string => {
  if (detail === "" || reason === "not_reviewed") return ""
  if (reason === "listed_address") return `The member logs in by the wallet ${detail}`
  return TIMED.has(reason) ? formatDateTime(new Big(detail).toNumber()) : `${formatAmount(detail)} USDT`
}
const TIMED = new Set(["new_address", "recent_security_change", "security_hold", "young_address"])
export const kindOf = (kind: string): string => from(KINDS, kind)
export const stateOf = (state: string): string => from(STATES, state)
export const bulletinStateOf = (state: string): string => from(BULLETINS, state)
export const ticketStateOf = (state: string): string => from(TICKETS, state)
/** A language as the wire names it. */
export const languageOf = (lang: string): string => LANGUAGES[lang] ?? lang
export const actOf = (act: string): string => from(ACTS, act)
export const nameOf = plain
export const featureOf = (feature: string): string => from(FEATURES, feature)
export const productOf = (product: string): string => from(PRODUCTS, product)

/** Numbers of a text with their thousands apart: 43200 reads 43,200, 0.00001 stays. */
export const grouped = (text: string): string =>
  text.replace(/(?<![.\d])\d{4,}/g, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ","))

/** A rate of the wire as per cent with two decimals; what is nothing isn't a rate. */
export const percentOf = (rate: string | null): string =>
  rate === null ? "—" : `${formatAmount(times(rate, "100", 2), { least: 2, most: 2 })}%`

const FAULTS: Record<string, string> = {
  out_of_bounds: "outside its bounds",
  over_cap: "more than the cap leaves",
  not_covered: "more than the reserves hold of it beyond what is owed",
  signer_has_not_answered: "the signer hasn't said yet what became of the last order",
  same: "is so already",
  not_on_offer: "isn't there to choose",
  not_of_kind: "isn't of the right form",
  needed: "must be given with this",
  not_needed: "isn't given with this",
  sent_less: "isn't a final transaction that sent at least as much of this token back from this address",
  account_or_house: "is a member's account or the house's",
  closed: "is a closed account",
  no_key: "you have no signing key",
}

/** A refusal's sentence; where fields are wrong, which and why. */
export function sentenceOf(said: string, data: unknown): string {
  const { errors } = (data ?? {}) as { errors?: { field: string; reason: string }[] }
  if (!Array.isArray(errors) || errors.length === 0) return said
  return errors
    .map(({ field, reason }) => {
      const name = field.replace(/^body\.?/, "")
      // Of a bulletin the server says in words what is wrong.
      const fault =
        FAULTS[reason] ?? (reason.includes(" ") ? reason : `isn't right (${reason.replaceAll("_", " ")})`)
      return `${name === "" ? "This" : plain(name)}: ${fault}`
    })
    .join("; ")
}

/** A value of a before, an after or a detail, as text. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined || value === "") return "—"
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (typeof value === "object") {
    const parts = Object.entries(value).map(([name, one]) => `${plain(name)}: ${textOf(one)}`)
    return parts.length === 0 ? "—" : parts.join(", ")
  }
  return String(value)
}

/** As `textOf`, with times of a field named so written as dates. */
export const fieldText = (name: string, value: unknown): string =>
  /(^|_)at$/.test(name) && typeof value === "number" ? formatDateTime(value) : textOf(value)

const TYPES: Record<Setting["type"], string> = {
  whole: "Whole number",
  decimal: "Decimal number",
  amount: "Amount",
  list: "Whole numbers",
  switch: "On or off",
}

/** Which values a setting takes. */
export const typeOf = ({ type, decimals }: Pick<Setting, "type" | "decimals">): string =>
  decimals === 0 ? TYPES[type] : `${TYPES[type]} with up to ${decimals} decimals`
