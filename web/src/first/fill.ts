import { open } from "../lib/keptRecord.ts"
import { drawTotal } from "../lib/sketch.ts"
import { storedToken } from "../lib/stored.ts"
import { entryOfPage } from "../lib/version.ts"

const FINANCE = "/api/finance/userFinance"

/** Put into home's sketch what this member last saw, out of what the device keeps: until the answer is there. */
export async function fill(kept: Promise<unknown>): Promise<void> {
  const token = storedToken()
  if (token === null || document.querySelector("[data-sketch=home]:not([hidden])") === null) return
  const rows = await kept.then((record) => open(token, entryOfPage(), record)).catch(() => null)
  const last = rows?.find(({ key }) => key[0] === FINANCE)?.data as { total: string } | undefined
  // Another tab may have logged out meanwhile, and an answer may have come.
  const isEmpty = document.querySelector("[data-total][hidden]") !== null
  if (last !== undefined && isEmpty && token === storedToken()) drawTotal(last.total)
}
