import { beforeEach, expect, test } from "vitest"
import { Refusal, ServerError } from "../lib/api.ts"
import { answerWith, done } from "../testing/answers.ts"
import { comes, heads, pay, RECEIPT, settles, stagePayments, toPassword } from "../testing/paying.tsx"

const paying = stagePayments({ proves: true })
/** Which calls the page made, with their bodies. */
let asked: [string, unknown][]

beforeEach(() => {
  asked = []
})

/** At the code of a member with an authenticator or without. */
async function toCode(google_bound: boolean): Promise<void> {
  const info = { account: "10000003", email: "a***e@example.com", google_bound }
  answerWith((path, body) => {
    asked.push([path, body])
    return done(path.endsWith("/info") ? info : {})
  })
  await toPassword(paying)
  await comes(paying, "input", /^Code from/)
}

test("a wrong code is told at its field, and the next try has the same id", async () => {
  paying.answers = [new Refusal(401, "The code is wrong", { error: "wrong_code" } as never), RECEIPT]
  await toCode(true)
  await pay(paying)
  expect(paying.sent).toEqual([])
  await paying.stage.type(paying.stage.get("input", "Code from the authenticator"), "111111")
  await pay(paying)
  await settles(() => {
    const read = [...document.querySelectorAll("[role=alert]")].map(({ textContent }) => textContent)
    expect(read).toContain("The code is wrong")
  })
  const field = paying.stage.get("input", "Code from the authenticator")
  const note = document.getElementById(field.getAttribute("aria-describedby") ?? "")
  expect(note?.textContent).toBe("The code is wrong")
  await paying.stage.type(await comes(paying, "input", "Code from the authenticator"), "222222")
  await pay(paying)
  await settles(() => expect(paying.sent.map(({ google_code }) => google_code)).toEqual(["111111", "222222"]))
  expect(paying.sent[1]?.request_id).toBe(paying.sent[0]?.request_id)
})

test("the mailed code is asked for with what it is bound to", async () => {
  paying.answers = [RECEIPT]
  await toCode(false)
  await paying.stage.press(paying.stage.get("button", "Send code"))
  await settles(() => expect(paying.stage.text()).toContain("Sent to a***e@example.com"))
  expect(asked.at(-1)).toEqual([
    "/api/user/sendEmail",
    expect.objectContaining({ scene: "withdraw", amount: "50" }),
  ])
  await paying.stage.type(paying.stage.get("input", "Code from the e-mail"), "402913")
  await pay(paying)
  await settles(() => expect(paying.sent[0]).toMatchObject({ out_password: "123456", email_code: "402913" }))
})

test("after a lost answer the same request needs no other code", async () => {
  paying.answers = [new ServerError("lost"), RECEIPT]
  await toCode(true)
  await paying.stage.type(paying.stage.get("input", "Code from the authenticator"), "111111")
  await pay(paying)
  await paying.stage.press(await comes(paying, "button", "Ask again"))
  await heads(paying, "Receipt")
  expect(paying.sent).toHaveLength(2)
})
