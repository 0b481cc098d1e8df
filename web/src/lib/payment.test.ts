// @vitest-environment document
import { afterEach, beforeEach, describe, expect, it, test, vi } from "vitest"
import { Refusal, ServerError } from "./api.ts"
import type { ErrorName } from "./calls.ts"
import { type Order, Payment, type Secrets } from "./payment.ts"
import { endSession, startSession } from "./session.ts"

interface Transfer {
  to: string
  amount: string
}
type Sent = Order<Transfer> & Secrets
const BODY = { to: "10000003", amount: "50" }
const PASSWORD = { out_password: "123456" }
const DONE = { id: "7", status: "approved" }

const refusal = (code: number, name: string, data: object = {}) =>
  new Refusal(code, name, { error: name, ...data } as unknown as ConstructorParameters<typeof Refusal>[2])
const lost = () => new ServerError("Server error, please try again later")

/** A server that is answered for by hand: each call waits until the test says how it ends. */
class Desk {
  readonly calls: Sent[] = []
  private ends: { done: (answer: typeof DONE) => void; fail: (problem: Error) => void }[] = []
  readonly call = (sent: Sent) => {
    this.calls.push(sent)
    return new Promise<typeof DONE>((done, fail) => this.ends.push({ done, fail }))
  }
  async answer(with_: typeof DONE | Error): Promise<void> {
    const end = this.ends.shift()
    if (!end) throw new Error("nobody waits for an answer")
    if (with_ instanceof Error) end.fail(with_)
    else end.done(with_)
    await vi.advanceTimersByTimeAsync(0)
  }
  ids = () => [...new Set(this.calls.map((call) => call.request_id))]
}

let desk: Desk
beforeEach(() => {
  vi.useFakeTimers()
  sessionStorage.clear()
  startSession("token")
  desk = new Desk()
})
afterEach(() => vi.useRealTimers())

const made = (options: ConstructorParameters<typeof Payment>[2] = { password: true }) =>
  new Payment<Transfer, typeof DONE>("transfer", desk.call, options)

function reviewed(options?: ConstructorParameters<typeof Payment>[2]) {
  const payment = made(options)
  payment.review(BODY)
  payment.confirm()
  return payment
}

describe("the straight way", () => {
  test("review, password, answer: what was reviewed is sent once, under one id, with the password", async () => {
    const payment = made()
    payment.review(BODY)
    expect(payment.read().step).toBe("review")
    payment.confirm()
    expect([payment.read().step, desk.calls.length]).toEqual(["password", 0])
    void payment.send(PASSWORD)
    await desk.answer(DONE)
    expect(desk.calls).toEqual([
      { ...BODY, ...PASSWORD, request_id: expect.stringMatching(/^[\w-]{16,64}$/) },
    ])
    expect(payment.read()).toMatchObject({ step: "done", answer: DONE })
  })

  test("without a password the confirmation sends it", async () => {
    const payment = reviewed({})
    await desk.answer(DONE)
    expect([desk.calls.length, payment.read().step]).toEqual([1, "done"])
  })

  test("each review has an id of its own", () => {
    const payment = made()
    payment.review(BODY)
    const first = payment.read().order?.request_id
    payment.cancel()
    payment.review(BODY)
    expect(payment.read().order?.request_id).not.toBe(first)
  })
})

describe("a price that moves under review", () => {
  const DEARER = refusal(422, "price_changed", { fee: "2", purchase: "0" })

  test("what is shown then is sent, as a request of its own", async () => {
    const payment = made()
    payment.review(BODY)
    const first = payment.read().order?.request_id
    payment.amend({ amount: "50" })
    expect(payment.read().order?.request_id).toBe(first)
    payment.amend({ amount: "49" })
    payment.confirm()
    payment.amend({ amount: "48" })
    void payment.send(PASSWORD)
    await desk.answer(DONE)
    expect(desk.calls).toMatchObject([{ ...BODY, amount: "48" }])
    expect(desk.ids()).not.toContain(first)
  })

  test("what is under way or unanswered stays as it was sent", async () => {
    const payment = reviewed()
    void payment.send(PASSWORD)
    payment.amend({ amount: "48" })
    await desk.answer(lost())
    payment.amend({ amount: "47" })
    await vi.advanceTimersByTimeAsync(2_000)
    await desk.answer(DONE)
    expect([desk.calls.length, desk.ids().length]).toEqual([2, 1])
    expect(desk.calls.every(({ amount }) => amount === "50")).toBe(true)
  })

  test("a refusal for it shows the review again, which needs no other password", async () => {
    const payment = reviewed()
    void payment.send(PASSWORD)
    await desk.answer(DEARER)
    expect(payment.read()).toMatchObject({ step: "review", unanswered: false, problem: DEARER, order: BODY })
    payment.amend({ amount: "49" })
    payment.confirm()
    await desk.answer(DONE)
    expect(desk.calls).toMatchObject([PASSWORD, { ...PASSWORD, amount: "49" }])
    expect([desk.ids().length, payment.read().step]).toEqual([2, "done"])
  })
})

test("a double tap sends once", async () => {
  const payment = reviewed()
  void payment.send(PASSWORD)
  void payment.send(PASSWORD)
  payment.confirm()
  await desk.answer(DONE)
  void payment.send(PASSWORD)
  expect(desk.calls).toHaveLength(1)
})

describe("a lost answer", () => {
  test("is asked for again under the same id, with growing waits, and then only by hand", async () => {
    const payment = reviewed()
    void payment.send(PASSWORD)
    await desk.answer(lost())
    expect(payment.read()).toMatchObject({ step: "checking", unanswered: true })
    for (const wait of [2_000, 4_000, 8_000]) {
      await vi.advanceTimersByTimeAsync(wait - 1)
      const before = desk.calls.length
      await vi.advanceTimersByTimeAsync(1)
      expect(desk.calls.length).toBe(before + 1)
      await desk.answer(lost())
    }
    await vi.advanceTimersByTimeAsync(600_000)
    expect(desk.calls).toHaveLength(4)
    payment.confirm()
    await desk.answer(DONE)
    expect(payment.read()).toMatchObject({ step: "done", answer: DONE, unanswered: false })
    expect(desk.ids()).toHaveLength(1)
    expect(desk.calls.every((call) => call.amount === "50" && call.out_password === "123456")).toBe(true)
  })

  test("request_running is no refusal: it is checked on", async () => {
    const payment = reviewed()
    void payment.send(PASSWORD)
    await desk.answer(refusal(409, "request_running"))
    expect(payment.read()).toMatchObject({ step: "checking", unanswered: true })
    await vi.advanceTimersByTimeAsync(2_000)
    await desk.answer(DONE)
    expect([payment.read().step, desk.ids().length]).toEqual(["done", 1])
  })

  test("bytes that have come already are no refusal: it is asked for again under the same id", async () => {
    const payment = reviewed()
    void payment.send(PASSWORD)
    await desk.answer(refusal(462, "replay"))
    expect(payment.read()).toMatchObject({ step: "checking", unanswered: true, order: BODY })
    expect(made().read()).toMatchObject({ step: "checking", order: BODY })
    await vi.advanceTimersByTimeAsync(2_000)
    await desk.answer(DONE)
    expect([payment.read().step, desk.calls.length, desk.ids().length]).toEqual(["done", 2, 1])
  })

  test("Back and a new review change nothing while it is unanswered", async () => {
    const payment = reviewed()
    void payment.send(PASSWORD)
    payment.cancel()
    expect(payment.read().step).toBe("sending")
    await desk.answer(lost())
    payment.cancel()
    payment.review({ to: "10000009", amount: "999" })
    expect(payment.read()).toMatchObject({ step: "checking", order: BODY })
    await vi.advanceTimersByTimeAsync(2_000)
    await desk.answer(DONE)
    expect(desk.ids()).toHaveLength(1)
  })

  test("a reload keeps the id and asks for the password anew, never stored", async () => {
    const before = reviewed()
    void before.send(PASSWORD)
    const kept = JSON.stringify({ ...sessionStorage })
    expect(kept).not.toContain(PASSWORD.out_password)
    const after = made()
    expect(after.read()).toMatchObject({ step: "checking", unanswered: true, order: BODY })
    await vi.advanceTimersByTimeAsync(600_000)
    expect(desk.calls).toHaveLength(1)
    after.confirm()
    expect(after.read().step).toBe("password")
    void after.send(PASSWORD)
    expect([desk.calls.length, desk.ids().length]).toEqual([2, 1])
  })

  test("of one member is never offered to another, whatever a tab still holds", () => {
    const before = reviewed()
    void before.send(PASSWORD)
    const left = { ...sessionStorage }
    startSession("another")
    for (const [key, value] of Object.entries(left)) sessionStorage.setItem(key, String(value))
    expect(made().read()).toMatchObject({ step: "form", order: null })
    expect(sessionStorage.length).toBe(0)
  })

  it.each([
    [403, "wrong_out_password", "password"],
    [429, "too_many", "checking"],
    [423, "account_frozen", "checking"],
  ])("%i %s says nothing about the first try", async (code, name, step) => {
    const payment = reviewed({ password: true, waits: [] })
    void payment.send(PASSWORD)
    await desk.answer(lost())
    payment.confirm()
    await desk.answer(refusal(code, name))
    expect(payment.read()).toMatchObject({ step, unanswered: true })
    payment.cancel()
    expect(made().read()).toMatchObject({ step: "checking", order: BODY })
  })

  test.each([460, 463, 464])("code %i, which anybody on the way can write, is no answer", async (code) => {
    const payment = reviewed({ password: true, waits: [] })
    void payment.send(PASSWORD)
    await desk.answer(refusal(code, "wire"))
    expect(payment.read()).toMatchObject({ step: "checking", unanswered: true })
  })

  test("a refused one keeps its id, under which the lost try can't be carried out beside the next", async () => {
    const payment = reviewed({ password: true, waits: [] })
    void payment.send(PASSWORD)
    await desk.answer(lost())
    payment.confirm()
    await desk.answer(refusal(422, "price_changed", { fee: "2", purchase: "0" }))
    payment.amend({ amount: "49" })
    payment.confirm()
    await desk.answer(refusal(422, "insufficient_balance"))
    payment.review({ ...BODY, amount: "48" })
    payment.confirm()
    void payment.send(PASSWORD)
    await desk.answer(refusal(409, "request_conflict"))
    expect(desk.ids()).toHaveLength(1)
    payment.review(BODY)
    expect(desk.ids()).not.toContain(payment.read().order?.request_id)
  })

  test("a refusal of the request itself settles it", async () => {
    const payment = reviewed({ password: true, waits: [] })
    void payment.send(PASSWORD)
    await desk.answer(lost())
    payment.confirm()
    await desk.answer(refusal(422, "insufficient_balance"))
    expect(payment.read()).toMatchObject({ step: "form", unanswered: false, order: null })
    expect(made().read().step).toBe("form")
  })
})

describe("a refusal", () => {
  test("leads back to the form with its reason, and the next review has another id", async () => {
    const payment = reviewed()
    void payment.send(PASSWORD)
    const problem = refusal(422, "insufficient_balance")
    await desk.answer(problem)
    expect(payment.read()).toMatchObject({ step: "form", problem, order: null })
    payment.review(BODY)
    payment.confirm()
    expect(payment.read().step).toBe("password")
    void payment.send(PASSWORD)
    expect(desk.ids()).toHaveLength(2)
  })

  it.each([
    [403, "wrong_out_password", false],
    [403, "second_factor_required", true],
    [401, "wrong_code", true],
    [410, "code_expired", true],
  ])("%i %s asks again in the same step, under the same id", async (code, name, factor) => {
    const payment = reviewed()
    void payment.send(PASSWORD)
    await desk.answer(refusal(code, name))
    expect(payment.read()).toMatchObject({ step: "password", factor })
    expect(made().read().step).toBe("form")
    void payment.send({ out_password: "654321", google_code: "111111" })
    await desk.answer(DONE)
    expect(desk.ids()).toHaveLength(1)
    expect(desk.calls[1]).toMatchObject({ out_password: "654321", google_code: "111111" })
  })

  test("busy leaves the review as it is", async () => {
    const payment = reviewed({})
    await desk.answer(refusal(429, "busy"))
    expect(payment.read()).toMatchObject({ step: "review", order: BODY })
    payment.confirm()
    expect(desk.ids()).toHaveLength(1)
  })
})

describe("a disclosure", () => {
  const notice = { feature: "pool", version: "3" }
  test("that the server asks for is accepted in the same step, before the same request", async () => {
    const accept = vi.fn(async () => undefined)
    const payment = reviewed({ password: true, accept })
    void payment.send(PASSWORD)
    await desk.answer(refusal(422, "disclosure_required", notice))
    expect(payment.read()).toMatchObject({ step: "review", disclosure: notice })
    payment.confirm(notice)
    await vi.advanceTimersByTimeAsync(0)
    expect(accept.mock.calls).toEqual([[notice]])
    await desk.answer(DONE)
    expect([desk.ids().length, payment.read().step]).toEqual([1, "done"])
  })

  test("accepted at the review goes before the password's send", async () => {
    const order: string[] = []
    const payment = made({ password: true, accept: async () => order.push("accept") })
    payment.review(BODY)
    payment.confirm(notice)
    expect([payment.read().step, order]).toEqual(["password", []])
    void payment.send(PASSWORD)
    await vi.advanceTimersByTimeAsync(0)
    expect([order, desk.calls.length]).toEqual([["accept"], 1])
  })

  test("whose acceptance fails sends nothing", async () => {
    const payment = reviewed({
      accept: async () => {
        throw lost()
      },
    })
    await desk.answer(refusal(422, "disclosure_required", notice))
    payment.confirm(notice)
    await vi.advanceTimersByTimeAsync(0)
    expect(payment.read()).toMatchObject({ step: "review", unanswered: false })
    expect(desk.calls).toHaveLength(1)
  })
})

describe("406 in the middle", () => {
  test("ends it with the session: no further try, nothing kept, a late answer goes unheard", async () => {
    const payment = reviewed()
    void payment.send(PASSWORD)
    await desk.answer(lost())
    endSession()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(desk.calls).toHaveLength(1)
    expect([payment.read().step, sessionStorage.length]).toEqual(["form", 0])
    expect(made().read().step).toBe("form")
  })

  test("while it is under way", async () => {
    const payment = reviewed()
    void payment.send(PASSWORD)
    endSession()
    await desk.answer(DONE)
    expect(payment.read()).toMatchObject({ step: "form", answer: null })
  })

  test("to the token of another tab's session leads to the form", async () => {
    const payment = reviewed()
    void payment.send(PASSWORD)
    await desk.answer(refusal(406, "session_ended" satisfies ErrorName))
    expect(payment.read()).toMatchObject({ step: "form", order: null })
  })
})
