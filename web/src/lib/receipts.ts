/** What every money call answers, besides its own fields. */
export interface Receipt {
  id: string
  kind: string
  status: string
  asset: string
  amount: string
  fee: string
  fee_asset: string
  received: string
  /** Available after it. */
  balance: string
  /** Unix milliseconds. */
  at: number
}

const KEY = "kalos.receipts"
const MOST = 20

/** Keep a receipt for as long as the session lasts in this tab (session.ts ends it), so that a reload or Back shows it again. */
export function keepReceipt(receipt: Receipt): void {
  const others = kept().filter(({ id }) => id !== receipt.id)
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...others, receipt].slice(-MOST)))
  } catch {
    // A full store loses the page on reload; the records have the payment.
  }
}

export function findReceipt(id: string): Receipt | null {
  return kept().find((receipt) => receipt.id === id) ?? null
}

function kept(): Receipt[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "[]")
    return Array.isArray(stored) ? (stored as Receipt[]) : []
  } catch {
    return []
  }
}
