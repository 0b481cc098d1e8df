import { isYoung, open } from "../lib/keptRecord.ts"
import { drawTotal } from "../lib/sketch.ts"
import { storedToken } from "../lib/stored.ts"
import { entryOfPage } from "../lib/version.ts"

/** Put into home's sketch what this member last saw, out of what the device keeps: until the answer is there. */
export async function fill(kept: Promise<unknown>): Promise<void> {
  const token = storedToken() ?? ""
  const rows = await open(token, entryOfPage(), await kept)
  const row = rows?.find((one) => one.key[0] === "/api/finance/userFinance" && isYoung(one))
  // Another tab may have logged out meanwhile, and an answer may have come.
  if (row && token === storedToken() && document.querySelector("[data-total][hidden]"))
    drawTotal((row.data as { total: string }).total)
}
