import { Refusal } from "./api.ts"
import type { ErrorName } from "./calls.ts"
import { followers, payments } from "./paying.ts"
import { newRequestId } from "./requests.ts"
import { onSessionEnd, sessionPrint } from "./session.ts"

/** What only the member knows. Asked last, kept in memory alone, and only until the call is answered. */
export interface Secrets {
  out_password?: string
  google_code?: string
  email_code?: string
}

/** The text that must be accepted before a feature is used. */
export interface Disclosure {
  feature: string
  version: string | number
}

/** What was reviewed, with the one id under which it is sent however often. */
export type Order<B> = B & { request_id: string }

export interface PaymentState<B, A> {
  /** `checking`: no answer came, so only another answer to the same id tells what happened. */
  step: "form" | "review" | "password" | "sending" | "checking" | "done"
  order: Order<B> | null
  /** A try stayed without an answer: it may have been carried out. */
  unanswered: boolean
  /** Why the last try didn't go through; nothing was changed by it unless `unanswered`. */
  problem: Error | null
  /** The server wants this accepted in the same step. */
  disclosure: Disclosure | null
  /** The server wants the second factor too. */
  factor: boolean
  answer: A | null
}

interface Options {
  /** The withdrawal password is asked before it is sent. */
  password?: boolean
  /** Waits before it is asked again by itself, in milliseconds. */
  waits?: readonly number[]
  accept?: (disclosure: Disclosure) => Promise<unknown>
}

const ASKS_SECRETS = new Set(["wrong_out_password", "wrong_code", "code_expired", "second_factor_required"])
const ASKS_FACTOR = new Set(["wrong_code", "code_expired", "second_factor_required"])
const SESSION_ENDED = 406
/** Turned away before anybody looked at the request: as true of one that was carried out already. */
const AT_THE_DOOR = new Set([401, 403, 423, 429, 461])
/**
 * Answers that say nothing of what became of the request: of bytes that have come already, sent twice by the browser itself,
 * and those that may come unsealed, so that anybody on the way could have written them.
 */
const SAYS_NOTHING = new Set([460, 462, 463, 464])
const WAITS = [2_000, 4_000, 8_000]

/**
 * One money call from review to answer. It sends what was reviewed, under one request id, once at a time.
 *
 * Outlives its screen, and without its secrets a reload, so that a payment whose answer was lost is asked for again
 * under its own id and never made anew. Ends with the session.
 */
export class Payment<B extends object, A> {
  readonly name: string
  private readonly call: (order: Order<B> & Secrets) => Promise<A>
  private readonly options: Options
  private state: PaymentState<B, A>
  private secrets: Secrets | null = null
  private accepted: Disclosure | null = null
  /** The id of a request of which a try stayed without an answer, and which was refused after that. */
  private doubtful: string | null = null
  private run = 0
  private tries = 0
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly watchers = new Set<() => void>()

  constructor(name: string, call: (order: Order<B> & Secrets) => Promise<A>, options: Options = {}) {
    this.name = name
    this.call = call
    this.options = options
    const order = stored<Order<B>>(name)
    this.doubtful = stored<{ request_id: string }>(doubtOf(name))?.request_id ?? null
    this.state = order ? { ...fresh(), step: "checking", unanswered: true, order } : fresh()
    payments.add(this)
    onSessionEnd(() => {
      this.doubt(null)
      this.end()
    })
  }

  readonly read = (): PaymentState<B, A> => this.state
  readonly isShown = (): boolean => this.watchers.size > 0
  readonly watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher)
    tell(followers)
    return () => {
      this.watchers.delete(watcher)
      tell(followers)
    }
  }

  get asksPassword(): boolean {
    return this.options.password === true
  }

  /** Fix what will be sent; one that is under way or unanswered stays. */
  review(body: B): void {
    if (this.isBound()) return
    this.end()
    this.set({ step: "review", order: { ...body, request_id: this.doubtful ?? newRequestId() } })
  }

  /** What is shown under review has changed: that is sent instead, as another request. One that is under way stays. */
  amend(part: Partial<B>): void {
    const { step, order } = this.state
    if (order === null || this.isBound() || (step !== "review" && step !== "password")) return
    const isSame = Object.entries(part).every(([name, value]) => order[name as keyof B] === value)
    if (!isSame) this.set({ order: { ...order, ...part, request_id: this.doubtful ?? newRequestId() } })
  }

  /** The reviewed sentence was confirmed, with its disclosure: on to the password, or off it goes. */
  confirm(accepted: Disclosure | null = null): void {
    if (this.state.step !== "review" && this.state.step !== "checking") return
    this.accepted = accepted
    if (this.asksPassword && this.secrets === null) this.set({ step: "password", problem: null })
    else void this.send(this.secrets ?? {})
  }

  /** Send it, the disclosure's acceptance before it. A second press while it is under way does nothing. */
  async send(secrets: Secrets = {}): Promise<void> {
    const { step, order } = this.state
    if (order === null || step === "sending" || step === "done") return
    clearTimeout(this.timer)
    const run = ++this.run
    this.secrets = secrets
    this.set({ step: "sending", problem: null })
    try {
      if (this.accepted) await this.options.accept?.(this.accepted)
    } catch (problem) {
      if (run === this.run) this.set({ step: "review", problem: asError(problem) })
      return
    }
    if (run !== this.run) return
    if (this.accepted) this.set({ disclosure: null })
    this.accepted = null
    store(this.name, order)
    try {
      const answer = await this.call({ ...order, ...secrets })
      if (run !== this.run) return
      this.end()
      this.doubt(null)
      this.set({ step: "done", answer, order })
    } catch (problem) {
      if (run === this.run) this.failed(asError(problem))
    }
  }

  /** Back to the form: nothing was sent, or the last try was refused. One that may be carried out stays. */
  cancel(): void {
    if (!this.isBound()) this.end()
  }

  /** The member no longer waits for an answer. */
  abandon(): void {
    if (this.state.step === "sending") return
    if (this.state.unanswered) this.doubt(null)
    this.end()
  }

  private doubt(request_id: string | null): void {
    this.doubtful = request_id
    if (request_id === null) forget(doubtOf(this.name))
    else store(doubtOf(this.name), { request_id })
  }

  private isBound(): boolean {
    return this.state.step === "sending" || this.state.unanswered
  }

  private failed(problem: Error): void {
    const name: string = problem instanceof Refusal ? problem.error : ""
    const { unanswered, order } = this.state
    // The try without an answer may still be on its way: under its id only one of the two can be carried out.
    if (name === "request_conflict") this.doubt(null)
    else if (unanswered && order !== null) this.doubt(order.request_id)
    if (!(problem instanceof Refusal) || name === "request_running" || SAYS_NOTHING.has(problem.code)) {
      this.lost(problem)
    } else if (this.asksPassword && ASKS_SECRETS.has(name)) {
      this.secrets = null
      if (!unanswered) forget(this.name)
      this.set({ step: "password", problem, factor: this.state.factor || ASKS_FACTOR.has(name) })
    } else if (problem.code === SESSION_ENDED) {
      this.end()
      this.set({ problem })
    } else if (AT_THE_DOOR.has(problem.code)) {
      if (!unanswered) forget(this.name)
      this.set({ step: unanswered ? "checking" : "review", problem })
    } else if (name === "disclosure_required" && this.options.accept) {
      forget(this.name)
      // The contract of this build may not hold the name yet.
      const disclosure = problem.dataOf(name as ErrorName) as unknown as Disclosure
      this.set({ step: "review", unanswered: false, disclosure, problem: null })
    } else if (name === "price_changed") {
      forget(this.name)
      // The review shows what it costs now, and asks for neither password nor code again.
      this.set({ step: "review", unanswered: false, problem })
    } else {
      this.end()
      this.set({ problem })
    }
  }

  private lost(problem: Error): void {
    this.set({ step: "checking", unanswered: true, problem })
    const wait = (this.options.waits ?? WAITS)[this.tries]
    if (wait === undefined) return
    this.tries += 1
    this.timer = setTimeout(() => void this.send(this.secrets ?? {}), wait)
  }

  private end(): void {
    clearTimeout(this.timer)
    forget(this.name)
    this.run += 1
    this.tries = 0
    this.secrets = null
    this.accepted = null
    this.set(fresh())
  }

  private set(part: Partial<PaymentState<B, A>>): void {
    this.state = { ...this.state, ...part }
    tell([...this.watchers, ...followers])
  }
}

function fresh() {
  return {
    step: "form" as const,
    order: null,
    unanswered: false,
    problem: null,
    disclosure: null,
    factor: false,
    answer: null,
  }
}

function tell(those: Iterable<() => void>): void {
  for (const one of [...those]) one()
}

const asError = (problem: unknown): Error => (problem instanceof Error ? problem : new Error(String(problem)))

const doubtOf = (name: string): string => `${name} doubt`
const keyOf = (name: string): string => `kalos.payment.${name}`
const forget = (name: string): void => sessionStorage.removeItem(keyOf(name))

function store(name: string, order: { request_id: string }): void {
  try {
    sessionStorage.setItem(keyOf(name), JSON.stringify({ of: sessionPrint(), order }))
  } catch {
    // Without a store only a reload in this very moment loses the id.
  }
}

/** What this very session left: another member must never be offered it. */
function stored<O extends { request_id: string }>(name: string): O | null {
  try {
    const { of, order } = JSON.parse(sessionStorage.getItem(keyOf(name)) ?? "{}") as {
      of?: string
      order?: O
    }
    if (of !== sessionPrint()) forget(name)
    else if (typeof order?.request_id === "string") return order
    return null
  } catch {
    return null
  }
}
