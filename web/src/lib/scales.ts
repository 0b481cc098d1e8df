/** Decimal places of each coin that payments are made in: a unit is the last of them. */
export const SCALES: Readonly<Record<"USDT" | "KLS", number>> = { USDT: 6, KLS: 8 }

/** Of any other asset eight. */
export const scaleOf = (asset: string): number => (asset in SCALES ? SCALES[asset as keyof typeof SCALES] : 8)
