/** What goes over the wire, as wire.md and the calls' rooms define it. Amounts are decimal strings, ids strings, `*_at` and `time` milliseconds. */
export interface Page<Row> {
  list: Row[]
  total: number
  next: string | null
  more?: boolean
}
export interface Paged {
  size?: number
  after?: string
}

export interface Balance {
  asset: string
  available: string
  held: string
}
export interface Info {
  account: string
  email: string
  invite_code: string
  invite_link: string
  superior: string | null
  registered_at: number
  balances: Balance[]
}
export interface Holding extends Balance {
  value: string | null
}
export interface Finance {
  total: string | null
  change_24h: string | null
  price_source: { asset: string; price: string; at: number; source: string } | null
  list: Holding[]
  history: { day: string; total: string }[]
}
export interface StatementRow {
  id: string
  time: number
  kind: string
  title: string
  amount: string
  balance: string
  reference: string | null
}

export interface DepositAddress {
  asset: string
  address: string
  qr: string
  protocol: string
  chain_id: number
  contract: string
  minimum: string
  confirmations: number
}
export interface DepositRow {
  id: string
  asset: string
  amount: string
  status: string
  reason: string | null
  hash: string
  block: number | null
  confirmations: number
  required: number
  protocol: string
  time: number
}
export interface Chain {
  chain_id: number
  name: string
  protocol: string
  height: number
  confirmations: number
  explorer: string | null
  contracts: { asset: string; address: string; decimals: number }[]
}

export type ByAsset = Record<string, string>
export type RoundState = "open" | "sealed" | "drawn" | "settled" | "void"
export interface SceneSummary {
  scene_id: string
  seconds: number
  balance_types: string[]
  /** Null until the scene's first round was opened; so are its times and state. */
  round: string | null
  opens_at: number | null
  closes_at: number | null
  state: RoundState | null
  room: ByAsset
}
export interface Hall {
  list: { game: string; return_to_player: string; online: number; scenes: SceneSummary[] }[]
  server_time: number
  head: Block | null
}
/** A round that takes no more bets. */
export interface PastRound {
  round: string
  scene_id: string
  height: number
  hash: string | null
  digit: number | null
  outcome: string | null
  state: RoundState
  void_reason: string | null
  closes_at: number
}
/** A neighbour on the way from a bet's leaf to its round's Merkle root. */
export interface Step {
  side: "left" | "right"
  hash: string
}
export interface BetRow {
  bet_id: string
  game: string
  scene_id: string
  round: string
  balance_type: string
  amount: string
  option: string
  multiple: string
  profit: string
  /** What came back, the stake included; null while it waits. */
  prize: string | null
  tie: boolean
  height: number
  hash: string | null
  digit: number | null
  status: string
  time: number
  leaf: string
  /** Null before the round's root is published. */
  proof: Step[] | null
}
export interface Scene {
  scene_id: string
  game: string
  server_time: number
  /** Null until the scene's first round was opened; so are its times, state and height. */
  round: string | null
  state: RoundState | null
  opens_at: number | null
  closes_at: number | null
  height: number | null
  options: { option: string; multiple: string; profit: string; chance: string }[]
  minimum: ByAsset
  maximum: ByAsset
  room: Record<string, ByAsset>
  my_bets: BetRow[]
  results: PastRound[]
  return_to_player: string
}
export interface Receipt {
  id: string
  kind: string
  status: string
  asset: string
  amount: string
  fee: string
  fee_asset: string
  received: string
  balance: string
  at: number
}
export interface BetReceipt extends Receipt {
  bet_id: string
  round: string
  height: number
}
export interface Block {
  number: number
  hash: string
  parent: string
  time: number
  digit: number | null
  digit_index: number | null
}
export interface RoundProof {
  round: string
  scene_id: string
  game: string
  state: RoundState
  outcome: string | null
  opens_at: number
  closes_at: number
  height: number
  published_at: number
  published_head: number
  block_seconds: number
  margin: number
  /** Seconds after the close within which the block must come. */
  result_window: number
  block: Block | null
  provisional: boolean
  merkle_root: string | null
  bet_count: number | null
  required: number
  explorer: string | null
  void_reason: string | null
}
export interface GameRules {
  game: string
  rules: string[]
  return_to_player: string
  options: { option: string; multiple: string; profit: string; chance: string }[]
}

/** A mail that a demo installation kept instead of sending it. */
export interface DemoMail {
  time: number
  subject: string
  text: string
  code: string | null
}

type Nothing = Record<string, never>
type StatementBody = Paged & { start?: number; end?: number; kind?: string }
export interface CaptchaAnswer {
  captcha_id: string
  code: string
}
export interface Registration {
  invite_code: string
  email: string
  email_code: string
  password: string
  country?: string
  birth_date?: string
  terms_version?: string
}

/** Every call that the page makes: its body and the data of its answer. */
export interface Calls {
  "auth/captcha": [Nothing, { captcha_id: string; image: string; expires_at: number }]
  "auth/sendEmail": [{ email: string; scene: "register"; captcha: CaptchaAnswer }, Nothing]
  "auth/register": [Registration, { token: string }]
  "auth/login": [{ name: string; password: string; code: string; captcha_id: string }, { token: string }]
  "auth/logout": [Nothing, Nothing]
  "user/info": [Nothing, Info]
  "user/getAuthToken": [Nothing, { token: string; expires_in: number }]
  "finance/userFinance": [Nothing, Finance]
  "user/usdtLog": [StatementBody, Page<StatementRow>]
  "user/klsLog": [StatementBody, Page<StatementRow>]
  "recharge/index": [Nothing, DepositAddress]
  "recharge/recharge": [{ hash: string; amount?: string }, DepositRow]
  "dapp/rechargeList": [Paged & { status?: string }, Page<DepositRow>]
  "lp/chain": [Nothing, { list: Chain[] }]
  "game/index": [Nothing, Hall]
  "game/scene": [{ scene_id: string }, Scene]
  "game/beton": [
    {
      scene_id: string
      round: string
      option: string
      amount: string
      balance_type: string
      request_id: string
    },
    BetReceipt,
  ]
  /** With a round: all that checking it takes. */
  "game/getBlock": [{ round: string }, RoundProof]
  "game/blockLog": [Paged & { scene_id?: string }, Page<PastRound>]
  "game/orderList": [Paged & { game?: string; status?: string }, Page<BetRow>]
  "basic/gameplayDesc": [{ game: string }, GameRules]
  /** These two exist in demo mode only. */
  "demo/inbox": [{ email: string }, { list: DemoMail[] }]
  "demo/faucet": [{ amount: string }, { hash: string }]
}
