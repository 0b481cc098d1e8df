import { Refusal, ServerError } from "../lib/api.ts"
import { type Order, Payment, type Secrets } from "../lib/payment.ts"
import { infoQuery, queryClient } from "../lib/queries.ts"
import type { Receipt } from "../lib/receipts.ts"

export interface Transfer {
  to: string
  amount: string
}

const PAUSE = 300
const carriedOut = new Map<string, Receipt>()
let lost = false

/**
 * What a server would say, by the amount: 2 loses its first answer, 3 is refused, 4 wants a disclosure, 5 a second
 * factor, 6 is reviewed first; "000000" is a wrong password. A request id is carried out once.
 */
async function desk({
  request_id,
  amount,
  out_password,
  google_code,
}: Order<Transfer> & Secrets): Promise<Receipt> {
  await new Promise((wake) => setTimeout(wake, PAUSE))
  const known = carriedOut.get(request_id)
  if (known) return known
  if (out_password === "000000") throw refusal(403, "wrong_out_password", "The withdrawal password is wrong")
  if (amount === "3") throw refusal(422, "insufficient_balance", "insufficient balance")
  if (amount === "4" && !accepted)
    throw refusal(422, "disclosure_required", "Please read and accept the notice first")
  if (amount === "5" && google_code === undefined)
    throw refusal(403, "second_factor_required", "A second factor is required")
  const receipt: Receipt = {
    id: `8f3c${request_id.slice(0, 12)}`,
    kind: "transfer.usdt",
    status: amount === "6" ? "pending_review" : "approved",
    asset: "USDT",
    amount,
    fee: "0.25",
    fee_asset: "KLS",
    received: amount,
    balance: "1190.75",
    at: Date.now(),
  }
  carriedOut.set(request_id, receipt)
  if (amount !== "2" || lost) return receipt
  lost = true
  throw new ServerError("Server error, please try again later")
}

// Whoever pays here has an authenticator, and no server is asked for it.
queryClient.setQueryDefaults(infoQuery().queryKey, { staleTime: Number.POSITIVE_INFINITY })
queryClient.setQueryData(infoQuery().queryKey, { google_bound: true } as never)

let accepted = false
const accept = async () => {
  accepted = true
}

const refusal = (code: number, error: string, msg: string) =>
  new Refusal(code, msg, { error, feature: "transfers", version: "1" } as never)

export const transfers = new Payment<Transfer, Receipt>("gallery", desk, {
  password: true,
  accept,
  // By hand, so that one can look at it.
  waits: [],
})
