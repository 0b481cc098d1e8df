import { act } from "react"
import { afterEach, beforeAll, beforeEach, expect, vi } from "vitest"
import { ServerError } from "../lib/api.ts"
import { type Order, Payment, type Secrets } from "../lib/payment.ts"
import { queryClient } from "../lib/queries.ts"
import type { Receipt } from "../lib/receipts.ts"
import { endSession, startSession } from "../lib/session.ts"
import { ReceiptPage } from "../ui/ReceiptPage.tsx"
import { ReviewButton } from "../ui/ReviewButton.tsx"
import { ReviewSheet } from "../ui/ReviewSheet.tsx"
import { useReceipt } from "../ui/useReceipt.ts"
import { useReview } from "../ui/useReview.ts"
import { soon } from "./soon.ts"
import { type Stage, show } from "./stage.tsx"

interface Transfer {
  amount: string
}

export const RECEIPT: Receipt = {
  id: "receipt-number-1",
  kind: "transfer.usdt",
  status: "approved",
  asset: "USDT",
  amount: "50",
  fee: "0",
  fee_asset: "KLS",
  received: "50",
  balance: "1190",
  at: 1_763_740_800_000,
}

/** A payment of 50 USDT with its form, review and receipt; each test has its own. */
export interface Paying {
  stage: Stage
  payment: Payment<Transfer, Receipt>
  /** What was sent, and what is answered to it; where nothing is left, no answer comes. */
  sent: (Order<Transfer> & Secrets)[]
  answers: (Receipt | Error)[]
}

/** Every test of the file begins at the form; `proves`: the payment wants a second factor besides the password. */
export function stagePayments({ proves = false } = {}): Paying {
  const paying = {} as Paying
  // The sheet's own code comes later than the page.
  beforeAll(() => import("../ui/SheetPanel.tsx"))
  beforeEach(async () => {
    sessionStorage.clear()
    startSession("token")
    paying.sent = []
    paying.answers = []
    paying.payment = new Payment(
      "test",
      async (order) => {
        paying.sent.push(order)
        const answer = paying.answers.shift() ?? new ServerError("no answer")
        if (answer instanceof Error) throw answer
        return answer
      },
      { password: true, waits: [] },
    )
    paying.stage = await show(<Screen paying={paying} proves={proves} />)
  })
  afterEach(async () => {
    await paying.stage.leave()
    endSession()
    queryClient.clear()
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })
  return paying
}

interface Props {
  paying: Paying
  proves: boolean
}

function Screen(props: Props) {
  const { receipt } = useReceipt()
  return receipt ? (
    <ReceiptPage receipt={receipt} title="Sent" back="/" next={{ label: "On", to: "/" }} />
  ) : (
    <Form {...props} />
  )
}

function Form({ paying, proves }: Props) {
  const review = useReview(paying.payment)
  return (
    <>
      <ReviewButton review={review} body={{ amount: "50" }}>
        Review
      </ReviewButton>
      <ReviewSheet<Transfer, Receipt>
        review={review}
        title="Check"
        sentence={({ amount }) => `Send ${amount}`}
        {...(proves && { factor: ({ amount }) => ({ scene: "withdraw", about: { amount } }) })}
      >
        {({ amount }) => <p>{amount} USDT</p>}
      </ReviewSheet>
    </>
  )
}

/** So that what must not come has had its time. */
export const settled = () => act(async () => new Promise((wake) => setTimeout(wake, 20)))
export const settles = (check: () => void) => soon(() => act(async () => check()))
/** The element, once it stands there. */
export const comes = ({ stage }: Paying, selector: string, name?: string | RegExp) =>
  soon(() => act(async () => stage.get(selector, name)))
export const heads = ({ stage }: Paying, title: string) =>
  settles(() => expect(stage.get("h1").textContent).toBe(title))

export async function toPassword(paying: Paying): Promise<void> {
  await paying.stage.press(await comes(paying, "button", "Review"))
  await paying.stage.press(await comes(paying, "button", "Send 50"))
}

export async function pay(paying: Paying, password = "123456"): Promise<void> {
  await paying.stage.type(await comes(paying, "input", "Withdrawal password"), password)
  await paying.stage.press(paying.stage.get("button", "Send 50"))
  await settled()
}
