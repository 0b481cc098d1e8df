import { i18n } from "@lingui/core"
import { act } from "react"
import { expect, test, vi } from "vitest"
import { Refusal } from "../lib/api.ts"
import { markOnline, suspectOffline } from "../lib/network.ts"
import { setSettings } from "../lib/settings.ts"
import {
  comes,
  heads,
  pay,
  RECEIPT,
  settled,
  settles,
  stagePayments,
  toPassword,
} from "../testing/paying.tsx"

const paying = stagePayments()

test("a password that can't be one isn't sent", async () => {
  await toPassword(paying)
  await pay(paying, "12ab")
  await settles(() => expect(paying.stage.text()).toContain("6-20 characters, digits only"))
  expect(paying.sent).toEqual([])
})

test("without a connection nothing is sent that would be known as lost", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no server")))
  await toPassword(paying)
  await comes(paying, "input", "Withdrawal password")
  await act(async () => suspectOffline())
  await settles(() => expect(paying.stage.text()).toContain("No connection to the server"))
  expect((paying.stage.get("button", "Send 50") as HTMLButtonElement).disabled).toBe(true)
  await act(async () => markOnline())
  expect((paying.stage.get("button", "Send 50") as HTMLButtonElement).disabled).toBe(false)
})

test("a refusal goes with the screen that has told it", async () => {
  paying.answers = [new Refusal(422, "Your own limit is reached", { error: "limit_reached" } as never)]
  await toPassword(paying)
  await pay(paying)
  await settles(() => expect(paying.stage.text()).toContain("Your own limit is reached"))
  await act(async () => paying.stage.router.navigate({ to: "/other" as "/" }))
  await act(async () => paying.stage.router.navigate({ to: "/" }))
  await comes(paying, "button", "Review")
  expect(paying.stage.text()).not.toContain("Your own limit is reached")
})

test("who leaves at the password has sent nothing, and no payment stands before them", async () => {
  await toPassword(paying)
  await comes(paying, "input", "Withdrawal password")
  await paying.stage.leave()
  expect(paying.payment.read()).toMatchObject({ step: "form", order: null })
})

test("the second press of a double one, on the button that came under the finger, does nothing", async () => {
  const now = vi.spyOn(performance, "now").mockReturnValue(10_000)
  await toPassword(paying)
  await comes(paying, "input", "Withdrawal password")
  now.mockReturnValue(10_400)
  await paying.stage.press(paying.stage.get("button", "Send 50"))
  expect(paying.stage.text()).not.toContain("6-20 characters, digits only")
  expect(document.activeElement).toBe(paying.stage.get("input", "Withdrawal password"))
  now.mockReturnValue(10_501)
  await paying.stage.press(paying.stage.get("button", "Send 50"))
  expect(paying.stage.text()).toContain("6-20 characters, digits only")
  expect(paying.sent).toEqual([])
})

test("a wrong password is told at its field, which is ready to be typed anew, until it is", async () => {
  const told = "The withdrawal password is wrong"
  paying.answers = [new Refusal(403, told, { error: "wrong_out_password" } as never), RECEIPT]
  await toPassword(paying)
  await pay(paying)
  await settles(() => expect(paying.stage.text()).toContain(told))
  const field = paying.stage.get("input", "Withdrawal password") as HTMLInputElement
  const note = document.getElementById(field.getAttribute("aria-describedby") ?? "")
  expect([field.getAttribute("aria-invalid"), note?.textContent]).toEqual(["true", told])
  expect(paying.stage.text().split(told)).toHaveLength(2)
  expect(document.activeElement).toBe(field)
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, 6])
  await paying.stage.type(field, "654321")
  expect(paying.stage.text()).not.toContain(told)
  await paying.stage.press(paying.stage.get("button", "Send 50"))
  await heads(paying, "Receipt")
  expect(paying.sent.map(({ out_password }) => out_password)).toEqual(["123456", "654321"])
})

test("two presses in one moment send once, and the receipt is a page", async () => {
  paying.answers = [RECEIPT]
  await toPassword(paying)
  await paying.stage.type(await comes(paying, "input", "Withdrawal password"), "123456")
  const button = paying.stage.get("button", "Send 50")
  await act(async () => {
    button.click()
    button.click()
  })
  await heads(paying, "Receipt")
  await settled()
  expect(paying.sent).toHaveLength(1)
  expect(paying.stage.text()).toContain(RECEIPT.id)
  await act(async () => paying.stage.router.history.back())
  await comes(paying, "button", "Review")
  await settles(() => expect(paying.stage.count("[role=dialog]")).toBe(0))
})

test("Back in the middle of a review forgets it: the next one has another id", async () => {
  await toPassword(paying)
  await act(async () => paying.stage.router.history.back())
  await settles(() => expect(paying.payment.read().step).toBe("form"))
  paying.answers = [RECEIPT]
  await toPassword(paying)
  await pay(paying)
  await settles(() => expect(paying.sent).toHaveLength(1))
})

test("a lost answer leaves one way: to ask for it again, under its id", async () => {
  await toPassword(paying)
  await pay(paying)
  await settles(() => expect(paying.stage.text()).toContain("nobody knows yet"))
  await act(async () => paying.stage.router.history.back())
  await settles(() => expect(paying.stage.text()).toContain("Your last payment has no answer yet"))
  await settles(() => expect(paying.stage.count("button")).toBe(1))
  await paying.stage.press(paying.stage.get("button", "Show it"))
  paying.answers = [RECEIPT]
  await paying.stage.press(await comes(paying, "button", "Ask again"))
  await heads(paying, "Receipt")
  expect(new Set(paying.sent.map(({ request_id }) => request_id)).size).toBe(1)
})

test("another language in the middle changes the words, not the request", async () => {
  await toPassword(paying)
  await pay(paying)
  await settles(() => expect(paying.payment.read()).toMatchObject({ step: "checking", unanswered: true }))
  await act(async () => {
    i18n.loadAndActivate({ locale: "vi", messages: {} })
  })
  await settled()
  expect(paying.payment.read()).toMatchObject({ step: "checking", unanswered: true })
  expect(paying.sent).toHaveLength(1)
  expect(paying.stage.count("[role=dialog]")).toBe(1)
})

test("a refusal closes the sheet, and the form says why with the way to mend it", async () => {
  paying.answers = [new Refusal(422, "insufficient balance", { error: "insufficient_balance" } as never)]
  await toPassword(paying)
  await pay(paying)
  await settles(() => expect(paying.stage.get("[role=alert]").textContent).toContain("insufficient balance"))
  expect(paying.stage.get("a", "Fix this").getAttribute("href")).toBe("/node3")
})

test("what came of it has the focus that form and sheet have lost, and is named by what it says", async () => {
  paying.answers = [RECEIPT]
  await toPassword(paying)
  await pay(paying)
  await comes(paying, "section[tabindex]")
  const receipt = document.activeElement
  const named = (receipt?.getAttribute("aria-labelledby") ?? "").split(" ")
  expect(named.map((id) => document.getElementById(id)?.textContent)).toEqual(["Sent", "Approved"])
})

test("with the eye closed no figure of a receipt is shown: not the amount, the fee, what came or what is left", async () => {
  await act(async () => setSettings({ hide: true }))
  paying.answers = [{ ...RECEIPT, amount: "51.5", fee: "0.25", received: "51.25", balance: "1190.75" }]
  await toPassword(paying)
  await pay(paying)
  await heads(paying, "Receipt")
  const shown = paying.stage.text()
  await act(async () => setSettings({ hide: false }))
  for (const figure of ["51.5", "0.25", "51.25", "190.75"]) expect(shown).not.toContain(figure)
  expect(shown.match(/hidden/g)).toHaveLength(4)
})
