import { t } from "@lingui/core/macro"
import { languageOf } from "./languages.ts"
import { markOnline, suspectOffline } from "./network.ts"
import { warn } from "./notices.ts"
import { getToken, sessionLost } from "./session.ts"
import { getSettings } from "./settings.ts"
import type { Calls } from "./shapes.ts"
import { call as sealedCall } from "./wire/index.ts"

export type Path = keyof Calls
export type Body<P extends Path> = Calls[P][0]
export type Data<P extends Path> = Calls[P][1]

const DONE = 200
const SESSION_ENDED = 406

/** The server said no and nothing changed: `msg` is a sentence in the member's language, `error` a stable name. */
export class Refusal extends Error {
  readonly code: number
  readonly error: string
  readonly data: Record<string, unknown>
  constructor(code: number, msg: string, data: unknown) {
    super(msg)
    this.code = code
    this.data = typeof data === "object" && data !== null ? (data as Record<string, unknown>) : {}
    this.error = typeof this.data.error === "string" ? this.data.error : "unknown"
  }
  /** Reasons by field, of `invalid_input`. */
  get fields(): Record<string, string> {
    const errors = Array.isArray(this.data.errors)
      ? (this.data.errors as { field: string; reason: string }[])
      : []
    return Object.fromEntries(errors.map(({ field, reason }) => [field, reason]))
  }
}

/** No answer, or one that isn't an answer: what happened to the call is unknown. */
export class ServerError extends Error {}

/**
 * Make a call and return its data.
 *
 * A refusal's sentence is shown as a toast unless `quiet`; a lost session (406) ends the session here.
 * Raises: Refusal, ServerError.
 */
export async function call<P extends Path>(path: P, body: Body<P>, { quiet = false } = {}): Promise<Data<P>> {
  const token = getToken()
  const lang = languageOf(getSettings().language).header
  let answer: { code: number; msg: string; data: unknown }
  try {
    answer = await sealedCall(`/api/${path}`, body, { token: token ?? "", lang })
  } catch (cause) {
    suspectOffline()
    const failure = new ServerError(t`Server error, please try again later`, { cause })
    if (!quiet) warn(failure.message)
    throw failure
  }
  markOnline()
  if (answer.code === DONE) return answer.data as Data<P>
  // An answer to an old token says nothing about the present one.
  if (answer.code === SESSION_ENDED && token === getToken()) sessionLost()
  else if (!quiet) warn(answer.msg)
  throw new Refusal(answer.code, answer.msg, answer.data)
}
