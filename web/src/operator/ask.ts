import { failed, Refusal, ServerError } from "../lib/api.ts"
import type { Body, Path } from "../lib/calls.ts"
import { call } from "../lib/wire/index.ts"
import { getStaffToken } from "./session.ts"
import { sentenceOf } from "./words.ts"

const DONE = 200
const SESSION_ENDED = 406
/** They may come unsealed: anybody on the way could have written them, whatever became of the call. */
const SAYS_NOTHING = new Set([460, 463, 464])

const unanswered = (cause?: unknown) =>
  new ServerError("No answer from the server. What you sent may have arrived: try again.", { cause })

/**
 * Make a call of the console and return its data.
 *
 * Raises: Refusal, ServerError.
 */
export async function ask<T>(name: string, body: object = {}): Promise<T> {
  const token = getStaffToken()
  let answer: { code: number; msg: string; data: unknown }
  try {
    const path = `/api/operator/${name}` as Path
    answer = await call(path, body as Body<Path>, { token: token ?? "", lang: "en" })
  } catch (cause) {
    throw unanswered(cause)
  }
  // The session changed while the call was out: its answer belongs to nobody who is here.
  if (token !== getStaffToken()) throw new ServerError("The session has changed.")
  if (answer.code === DONE) return answer.data as T
  if (SAYS_NOTHING.has(answer.code)) throw unanswered()
  const msg = answer.msg || failed().message
  throw new Refusal(answer.code, sentenceOf(msg, answer.data), answer.data as never)
}

export const hasSessionEnded = (problem: unknown): boolean =>
  problem instanceof Refusal && problem.code === SESSION_ENDED
