import type { Path } from "../../lib/calls.ts"
import { COINS, type Coin } from "./search.ts"

/** Every statement: the call that lists it, and the asset that it is of. */
const STATEMENTS = {
  USDT: ["/api/user/usdtLog", "USDT"],
  KLS: ["/api/user/klsLog", "KLS"],
  USA: ["/api/user/usaLog", "USA"],
  USO: ["/api/user/usoLog", "USO"],
  USDC: ["/api/user/usdcLog", "USDC"],
  BWC: ["/api/user/bwcLog", "BWC"],
  BWT: ["/api/user/bwtLog", "BWT"],
  RRT: ["/api/user/rrtLog", "RRT"],
  SATS: ["/api/user/satsLog", "SATS"],
  DOMI: ["/api/user/domiLog", "DOMI"],
  ALEO: ["/api/user/aleoLog", "ALEO"],
  points: ["/api/user/betPointLog", "POINT"],
  energy: ["/api/user/energyLog", "ENERGY"],
  power: ["/api/user/powerLog", "POWER"],
  fees: ["/api/user/usaFeeLog", "USA"],
  dividends: ["/api/user/divvyLog", "USDT"],
  unclaimed: ["/api/user/divvyWaitLog", "USDT"],
} as const satisfies Record<Coin, readonly [Path, string]>

/** Parts of another coin's account: they have no balance of their own. */
const PARTS: readonly Coin[] = ["fees", "dividends", "unclaimed"]

export const logOf = (coin: Coin) => STATEMENTS[coin][0]
export const assetOf = (coin: Coin): string => STATEMENTS[coin][1]
export const hasBalance = (coin: Coin): boolean => !PARTS.includes(coin)

/** Whose whole statement shows an asset. */
export const coinOf = (asset: string): Coin | undefined =>
  COINS.find((coin) => hasBalance(coin) && assetOf(coin) === asset)
