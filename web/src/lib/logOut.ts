import { call } from "./api.ts"
import { endSessionOf, getToken } from "./session.ts"

const PATIENCE = 3000

/** Tell the server, and end the session on this device, with its answer or without; one begun meanwhile stays. */
export async function logOut(): Promise<void> {
  const token = getToken()
  const told = call("/api/auth/logout", {}, { quiet: true }).catch(() => undefined)
  await Promise.race([told, new Promise((done) => setTimeout(done, PATIENCE))])
  void endSessionOf(token)
}
