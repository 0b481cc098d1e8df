import { i18n } from "@lingui/core"
import { act } from "react"
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { Refusal, ServerError } from "../lib/api.ts"
import { type Order, Payment, type Secrets } from "../lib/payment.ts"
import type { Receipt } from "../lib/receipts.ts"
import { endSession, startSession } from "../lib/session.ts"
import { type Stage, show } from "../testing/stage.tsx"
import { ReceiptPage } from "./ReceiptPage.tsx"
import { ReviewButton } from "./ReviewButton.tsx"
import { ReviewSheet } from "./ReviewSheet.tsx"
import { useReceipt } from "./useReceipt.ts"
import { useReview } from "./useReview.ts"

interface Transfer {
  amount: string
}
const RECEIPT: Receipt = {
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

let sent: (Order<Transfer> & Secrets)[]
let answers: (Receipt | Error)[]
let payment: Payment<Transfer, Receipt>
let stage: Stage

function Screen() {
  const { receipt } = useReceipt()
  return receipt ? (
    <ReceiptPage receipt={receipt} title="Sent" back="/" next={{ label: "On", to: "/" }} />
  ) : (
    <Form />
  )
}

function Form() {
  const review = useReview(payment)
  return (
    <>
      <ReviewButton review={review} body={{ amount: "50" }}>
        Review
      </ReviewButton>
      <ReviewSheet review={review} title="Check" sentence={({ amount }) => `Send ${amount}`}>
        {({ amount }) => <p>{amount} USDT</p>}
      </ReviewSheet>
    </>
  )
}

// The sheet's own code comes later than the page.
beforeAll(() => import("./SheetPanel.tsx"), 20_000)
beforeEach(async () => {
  sessionStorage.clear()
  startSession("token")
  sent = []
  answers = []
  payment = new Payment(
    "test",
    async (order) => {
      sent.push(order)
      const answer = answers.shift() ?? new ServerError("no answer")
      if (answer instanceof Error) throw answer
      return answer
    },
    { password: true, waits: [] },
  )
  stage = await show(<Screen />)
})
afterEach(async () => {
  await stage.leave()
  endSession()
})

const settled = () => act(async () => new Promise((wake) => setTimeout(wake, 20)))

async function toPassword(): Promise<void> {
  await stage.press(stage.get("button", "Review"))
  await vi.waitFor(() => act(async () => stage.get("button", "Send 50")))
  await stage.press(stage.get("button", "Send 50"))
}

async function pay(password = "123456"): Promise<void> {
  await stage.type(stage.get("input", "Withdrawal password"), password)
  await stage.press(stage.get("button", "Send 50"))
  await settled()
}

test("a password that can't be one isn't sent", async () => {
  await toPassword()
  await pay("12ab")
  expect(stage.text()).toContain("6-20 characters, digits only")
  expect(sent).toEqual([])
})

test("two presses in one moment send once, and the receipt is a page", async () => {
  answers = [RECEIPT]
  await toPassword()
  await stage.type(stage.get("input", "Withdrawal password"), "123456")
  const button = stage.get("button", "Send 50")
  await act(async () => {
    button.click()
    button.click()
  })
  await settled()
  expect(sent).toHaveLength(1)
  expect(stage.get("h1").textContent).toBe("Receipt")
  expect(stage.text()).toContain(RECEIPT.id)
  await act(async () => stage.router.history.back())
  await settled()
  expect([stage.count("[role=dialog]"), stage.get("button", "Review").textContent]).toEqual([0, "Review"])
})

test("Back in the middle of a review forgets it: the next one has another id", async () => {
  await toPassword()
  await act(async () => stage.router.history.back())
  await settled()
  expect(payment.read().step).toBe("form")
  answers = [RECEIPT]
  await toPassword()
  await pay()
  expect(sent).toHaveLength(1)
})

test("a lost answer leaves one way: to ask for it again, under its id", async () => {
  await toPassword()
  await pay()
  expect(stage.text()).toContain("nobody knows yet")
  await act(async () => stage.router.history.back())
  await settled()
  expect(stage.text()).toContain("Your last payment has no answer yet")
  expect(stage.count("button")).toBe(1)
  await stage.press(stage.get("button", "Show it"))
  await settled()
  answers = [RECEIPT]
  await stage.press(stage.get("button", "Ask again"))
  await settled()
  expect(new Set(sent.map(({ request_id }) => request_id)).size).toBe(1)
  expect(stage.get("h1").textContent).toBe("Receipt")
})

test("another language in the middle changes the words, not the request", async () => {
  await toPassword()
  await pay()
  await act(async () => {
    i18n.loadAndActivate({ locale: "vi", messages: {} })
  })
  await settled()
  expect(payment.read()).toMatchObject({ step: "checking", unanswered: true })
  expect(sent).toHaveLength(1)
  expect(stage.count("[role=dialog]")).toBe(1)
})

test("the second factor is asked for in the same step, under the same id", async () => {
  answers = [
    new Refusal(403, "A second factor is required", { error: "second_factor_required" } as never),
    RECEIPT,
  ]
  await toPassword()
  await pay()
  expect(stage.get("[role=alert]").textContent).toContain("A second factor is required")
  await pay()
  expect(sent).toHaveLength(1)
  await stage.type(stage.get("input", "Code of your authenticator"), "111111")
  await pay()
  expect(sent[1]).toMatchObject({ out_password: "123456", google_code: "111111" })
  expect(sent[1]?.request_id).toBe(sent[0]?.request_id)
})

test("a refusal closes the sheet, and the form says why with the way to mend it", async () => {
  answers = [new Refusal(422, "insufficient balance", { error: "insufficient_balance" } as never)]
  await toPassword()
  await pay()
  expect(stage.get("[role=alert]").textContent).toContain("insufficient balance")
  expect(stage.get("a", "Fix this").getAttribute("href")).toBe("/node3")
})
