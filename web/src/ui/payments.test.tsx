import { i18n } from "@lingui/core"
import { act } from "react"
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { Refusal, ServerError } from "../lib/api.ts"
import { type Order, Payment, type Secrets } from "../lib/payment.ts"
import { queryClient } from "../lib/queries.ts"
import type { Receipt } from "../lib/receipts.ts"
import { endSession, startSession } from "../lib/session.ts"
import { TestServer } from "../lib/wire/testServer.ts"
import { soon } from "../testing/soon.ts"
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
let proves: boolean
/** Which calls the page made, with their bodies. */
let asked: [string, unknown][]
const server = new TestServer(location.origin)

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

// The sheet's own code comes later than the page.
beforeAll(() => import("./SheetPanel.tsx"))
beforeEach(async () => {
  proves = false
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
  queryClient.clear()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** So that what must not come has had its time. */
const settled = () => act(async () => new Promise((wake) => setTimeout(wake, 20)))
const settles = (check: () => void) => soon(() => act(async () => check()))
/** The element, once it stands there. */
const comes = (selector: string, name?: string | RegExp) =>
  soon(() => act(async () => stage.get(selector, name)))
const heads = (title: string) => settles(() => expect(stage.get("h1").textContent).toBe(title))

async function toPassword(): Promise<void> {
  await stage.press(await comes("button", "Review"))
  await stage.press(await comes("button", "Send 50"))
}

async function pay(password = "123456"): Promise<void> {
  await stage.type(await comes("input", "Withdrawal password"), password)
  await stage.press(stage.get("button", "Send 50"))
  await settled()
}

test("a password that can't be one isn't sent", async () => {
  await toPassword()
  await pay("12ab")
  await settles(() => expect(stage.text()).toContain("6-20 characters, digits only"))
  expect(sent).toEqual([])
})

test("the second press of a double one, on the button that came under the finger, does nothing", async () => {
  const now = vi.spyOn(performance, "now").mockReturnValue(10_000)
  await toPassword()
  await comes("input", "Withdrawal password")
  now.mockReturnValue(10_400)
  await stage.press(stage.get("button", "Send 50"))
  expect(stage.text()).not.toContain("6-20 characters, digits only")
  expect(document.activeElement).toBe(stage.get("input", "Withdrawal password"))
  now.mockReturnValue(10_501)
  await stage.press(stage.get("button", "Send 50"))
  expect(stage.text()).toContain("6-20 characters, digits only")
  expect(sent).toEqual([])
})

test("a wrong password is told at its field, which is ready to be typed anew, until it is", async () => {
  const told = "The withdrawal password is wrong"
  answers = [new Refusal(403, told, { error: "wrong_out_password" } as never), RECEIPT]
  await toPassword()
  await pay()
  await settles(() => expect(stage.text()).toContain(told))
  const field = stage.get("input", "Withdrawal password") as HTMLInputElement
  const note = document.getElementById(field.getAttribute("aria-describedby") ?? "")
  expect([field.getAttribute("aria-invalid"), note?.textContent]).toEqual(["true", told])
  expect(stage.text().split(told)).toHaveLength(2)
  expect(document.activeElement).toBe(field)
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, 6])
  await stage.type(field, "654321")
  expect(stage.text()).not.toContain(told)
  await stage.press(stage.get("button", "Send 50"))
  await heads("Receipt")
  expect(sent.map(({ out_password }) => out_password)).toEqual(["123456", "654321"])
})

test("two presses in one moment send once, and the receipt is a page", async () => {
  answers = [RECEIPT]
  await toPassword()
  await stage.type(await comes("input", "Withdrawal password"), "123456")
  const button = stage.get("button", "Send 50")
  await act(async () => {
    button.click()
    button.click()
  })
  await heads("Receipt")
  await settled()
  expect(sent).toHaveLength(1)
  expect(stage.text()).toContain(RECEIPT.id)
  await act(async () => stage.router.history.back())
  await comes("button", "Review")
  await settles(() => expect(stage.count("[role=dialog]")).toBe(0))
})

test("Back in the middle of a review forgets it: the next one has another id", async () => {
  await toPassword()
  await act(async () => stage.router.history.back())
  await settles(() => expect(payment.read().step).toBe("form"))
  answers = [RECEIPT]
  await toPassword()
  await pay()
  await settles(() => expect(sent).toHaveLength(1))
})

test("a lost answer leaves one way: to ask for it again, under its id", async () => {
  await toPassword()
  await pay()
  await settles(() => expect(stage.text()).toContain("nobody knows yet"))
  await act(async () => stage.router.history.back())
  await settles(() => expect(stage.text()).toContain("Your last payment has no answer yet"))
  await settles(() => expect(stage.count("button")).toBe(1))
  await stage.press(stage.get("button", "Show it"))
  answers = [RECEIPT]
  await stage.press(await comes("button", "Ask again"))
  await heads("Receipt")
  expect(new Set(sent.map(({ request_id }) => request_id)).size).toBe(1)
})

test("another language in the middle changes the words, not the request", async () => {
  await toPassword()
  await pay()
  await settles(() => expect(payment.read()).toMatchObject({ step: "checking", unanswered: true }))
  await act(async () => {
    i18n.loadAndActivate({ locale: "vi", messages: {} })
  })
  await settled()
  expect(payment.read()).toMatchObject({ step: "checking", unanswered: true })
  expect(sent).toHaveLength(1)
  expect(stage.count("[role=dialog]")).toBe(1)
})

/** The form of a payment that wants a second factor, of a member with an authenticator or without. */
async function provingStage(google_bound: boolean): Promise<void> {
  asked = []
  const info = { account: "10000003", email: "a***e@example.com", google_bound }
  vi.stubGlobal("fetch", async (url: string, request: RequestInit) => {
    const { pathname } = new URL(url, location.origin)
    server.reply = (inner) => {
      asked.push([pathname, inner])
      return { code: 200, msg: "Done", data: pathname.endsWith("/info") ? info : {} }
    }
    return server.fetch(pathname, request)
  })
  await stage.leave()
  proves = true
  stage = await show(<Screen />)
  await toPassword()
  await comes("input", /^Code from/)
}

test("a wrong code is told at its field, and the next try has the same id", async () => {
  answers = [new Refusal(401, "The code is wrong", { error: "wrong_code" } as never), RECEIPT]
  await provingStage(true)
  await pay()
  expect(sent).toEqual([])
  await stage.type(stage.get("input", "Code from the authenticator"), "111111")
  await pay()
  await settles(() => expect(stage.text()).toContain("The code is wrong"))
  await stage.type(await comes("input", "Code from the authenticator"), "222222")
  await pay()
  await settles(() => expect(sent.map(({ google_code }) => google_code)).toEqual(["111111", "222222"]))
  expect(sent[1]?.request_id).toBe(sent[0]?.request_id)
})

test("the mailed code is asked for with what it is bound to", async () => {
  answers = [RECEIPT]
  await provingStage(false)
  await stage.press(stage.get("button", "Send code"))
  await settles(() => expect(stage.text()).toContain("Sent to a***e@example.com"))
  expect(asked.at(-1)).toEqual([
    "/api/user/sendEmail",
    expect.objectContaining({ scene: "withdraw", amount: "50" }),
  ])
  await stage.type(stage.get("input", "Code from the e-mail"), "402913")
  await pay()
  await settles(() => expect(sent[0]).toMatchObject({ out_password: "123456", email_code: "402913" }))
})

test("after a lost answer the same request needs no other code", async () => {
  answers = [new ServerError("lost"), RECEIPT]
  await provingStage(true)
  await stage.type(stage.get("input", "Code from the authenticator"), "111111")
  await pay()
  await stage.press(await comes("button", "Ask again"))
  await heads("Receipt")
  expect(sent).toHaveLength(2)
})

test("a refusal closes the sheet, and the form says why with the way to mend it", async () => {
  answers = [new Refusal(422, "insufficient balance", { error: "insufficient_balance" } as never)]
  await toPassword()
  await pay()
  await settles(() => expect(stage.get("[role=alert]").textContent).toContain("insufficient balance"))
  expect(stage.get("a", "Fix this").getAttribute("href")).toBe("/node3")
})
