import { type Body, call } from "./api.ts"
import type { Disclosure } from "./payment.ts"
import { callQuery } from "./queries.ts"

/** Record that the member has read the notice of a feature and accepts it. Raises: Refusal, ServerError. */
export function acceptDisclosure({ feature, version }: Disclosure): Promise<unknown> {
  // What the server asked for stands in its own words.
  const body = { feature, version: Number(version) } as Body<"/api/user/acceptDisclosure">
  return call("/api/user/acceptDisclosure", body, { quiet: true })
}

// As the server has them.
const PLAYED = new Set(["games", "racer_quiz", "nft", "mining", "divvy", "insurance", "lending", "pledge"])

/** Whether a member's own limits and breaks count in a feature. */
export const isPlayed = (feature: string): boolean => PLAYED.has(feature)

export const disclosuresQuery = () => callQuery("/api/user/disclosures", {})
