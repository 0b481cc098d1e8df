import { Refusal } from "./api.ts"

const TRIES = 2
/** What may be asked again after so long is waited for; longer waits are told. */
const LONGEST_WAIT = 2_000
const SPREAD = 500

/** Whether a device says that it has a network decides nothing: it may be wrong, and a paused query waits for ever. */
const networkMode = "always"

/** When a query or an act asks again by itself, on the members' page and in the console. */
export const askingAgain = {
  queries: {
    networkMode,
    // A refusal is an answer: asking again won't change it, but for one that only came too soon.
    retry: (failures: number, problem: Error) =>
      failures < TRIES &&
      (!(problem instanceof Refusal) || (problem.retryAfterMs ?? Infinity) <= LONGEST_WAIT),
    // Whoever was refused with others comes back at another moment than they.
    retryDelay: (failures: number, problem: Error) =>
      ((problem instanceof Refusal && problem.retryAfterMs) || 1000 * 2 ** failures) + Math.random() * SPREAD,
  },
  mutations: { networkMode },
} as const
