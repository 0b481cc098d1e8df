import { t } from "@lingui/core/macro"
import { languageOf } from "./languages.ts"
import { warn } from "./notices.ts"
import { endSessionOf, getToken } from "./session.ts"
import { getSettings } from "./settings.ts"
import { call } from "./wire/index.ts"

const PATIENCE = 3000
const FIRST_PAUSE = 1000
const LONGEST_PAUSE = 60_000
const MOST_TRIES = 30
/** The session is ended, or was none any more. Every other answer may be another one later. */
const OVER = new Set([200, 406])

const pause = (length: number) => new Promise<void>((done) => setTimeout(done, length))

/**
 * Tell the server, and end the session on this device, with its answer or without; one begun meanwhile stays.
 *
 * Where the server doesn't answer in time the page says so and goes on telling it for half an hour, as long as it is
 * open: a token that were kept for that on the device would be what logging out is to take away.
 */
export async function logOut(): Promise<void> {
  const token = getToken()
  if (token === null) return
  const isTold = await Promise.race([tell(token).then(() => true), pause(PATIENCE).then(() => false)])
  void endSessionOf(token)
  if (!isTold)
    warn(t`Logged out on this device. The server doesn't know yet: this page tells it while it is open.`)
}

async function tell(token: string): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    if (tries > 0) await pause(Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (tries - 1)))
    try {
      const { header } = languageOf(getSettings().language)
      const { code } = await call("/api/auth/logout", {}, { token, lang: header })
      if (OVER.has(code)) return
    } catch {
      // no answer: told again
    }
  }
}
