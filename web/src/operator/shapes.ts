/** What the console's calls answer. */
export type {
  AuditRowShape as AuditRow,
  CommandShape as Command,
  PreviewAnswer as Preview,
  SettingRow as Setting,
  StaffLoginAnswer as LoggedIn,
  StaffShape as Staff,
  SwitchRow as Switch,
} from "../lib/api.gen.ts"

export type Role = "support" | "reviewer" | "treasurer" | "content" | "auditor" | "owner"

/** Amounts are decimal strings, times Unix milliseconds. */
export interface Dashboard {
  at: number
  assets: {
    asset: string
    liabilities: string
    hot: string
    cold: string
    deposits: string
    reserves: string
    covered: boolean
  }[]
  bankroll: { asset: string; available: string; reserved: string }[]
  payables: { account: string; asset: string; amount: string; count: number; oldest_at: number }[]
  queues: { name: string; count: number; oldest_at: number | null }[]
  jobs: { name: string; last_at: number | null; is_late: boolean }[]
  chain: {
    height: number
    /** Null while the nodes don't answer. */
    head: number | null
    lag_blocks: number | null
    gas: string | null
    gas_low: boolean
  }
  money_out: { stopped: boolean; reason: string | null }
  prices: { asset: string; rate: string; at: number; source: string; is_stale: boolean }[]
}

export interface Withdrawal {
  id: string
  revision: number
  account: string
  asset: string
  amount: string
  value: string
  fee: string
  address: string
  label: string
  status: string
  needed: number
  /** `detail` is a time in ms, an amount in USDT, or empty. */
  risks: { reason: string; detail: string }[]
  reviews: { staff: string; verdict: string; reason: string; at: number }[]
  message: string
  requested_at: number
  age_seconds: number
  transaction: string | null
}

export interface Deposit {
  id: string
  revision: number
  /** Empty: the house's own. */
  account: string
  asset: string
  amount: string
  reason: string | null
  /** What may be decided. */
  verdicts: ("credit" | "refuse")[]
  transaction: string
  sender: string
  seen_at: number
  age_seconds: number
}
