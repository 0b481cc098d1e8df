import { t } from "@lingui/core/macro"
import type { Answer, Body, Data, ErrorName, Path, RefusalData } from "./calls.ts"
import { languageOf } from "./languages.ts"
import { markOnline, suspectOffline } from "./network.ts"
import { type How, warn, warnAfterReload } from "./notices.ts"
import { getToken, sessionLost } from "./session.ts"
import { getSettings } from "./settings.ts"
import { call as sealedCall } from "./wire/index.ts"

export type { Body, Data, Path } from "./calls.ts"

const DONE = 200
export const SESSION_ENDED = 406

/** The server said no and nothing changed: `msg` is a sentence in the member's language, `error` a stable name. */
export class Refusal extends Error {
  readonly code: number
  readonly error: ErrorName | "unknown"
  /** When it came, on the device's clock. */
  readonly at = Date.now()
  private readonly data: RefusalData<ErrorName> | null
  /** Without data where an answer came unsealed: then it is nobody's word. */
  constructor(code: number, msg: string, data: RefusalData<ErrorName> | null) {
    super(msg)
    this.code = code
    this.error = data?.error ?? "unknown"
    this.data = data
  }
  /** What it says besides its sentence; null where it is another refusal. */
  dataOf<N extends ErrorName>(error: N): RefusalData<N> | null {
    return this.error === error ? (this.data as RefusalData<N>) : null
  }
  /** How long to wait before another try, in milliseconds; null where that would be refused as well. */
  get retryAfterMs(): number | null {
    const wait = this.dataOf("too_many") ?? this.dataOf("busy")
    return wait && wait.retry_after * 1000
  }
}

/** No answer, or one that isn't an answer: what happened to the call is unknown. */
export class ServerError extends Error {}

export const failed = (cause?: unknown) => new ServerError(t`Server error, please try again later`, { cause })

/**
 * Make a call and return its data.
 *
 * A refusal's sentence is shown as a toast, a failure's where the screen doesn't say it; a lost session (406) ends the
 * session here.
 * Raises: Refusal, ServerError.
 */
export async function call<P extends Path>(path: P, body: Body<P>, how: How = {}): Promise<Data<P>> {
  const token = getToken()
  const lang = languageOf(getSettings().language).header
  let answer: Answer<P>
  try {
    answer = await sealedCall(path, body, { token: token ?? "", lang })
  } catch (cause) {
    suspectOffline()
    const failure = failed(cause)
    if (!how.quiet && !how.seldom && !how.untold) warn(failure.message)
    throw failure
  }
  markOnline()
  // The session changed while the call was out: its answer belongs to nobody who is here.
  if (token !== getToken()) throw failed()
  if (answer.code === DONE) return answer.data as Data<P>
  // Without a sentence it came unsealed: what stood in it was nobody's word.
  const msg = answer.msg || failed().message
  if (answer.code === SESSION_ENDED && token !== null) await loseSession(token, msg)
  else if (!how.untold) warn(msg, how)
  throw new Refusal(answer.code, msg, answer.data)
}

/** Says once why the log-in screen is there, whichever way leads to it. */
async function loseSession(token: string, msg: string): Promise<void> {
  if (token !== getToken()) return
  const reload = () => {
    warnAfterReload(msg)
    location.reload()
  }
  if (!(await sessionLost(token, reload))) warn(msg)
}
