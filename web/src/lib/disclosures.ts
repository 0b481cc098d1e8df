import { type Body, call } from "./api.ts"
import type { Disclosure } from "./payment.ts"
import { callQuery } from "./queries.ts"

/** Record that the member has read the notice of a feature and accepts it. Raises: Refusal, ServerError. */
export function acceptDisclosure({ feature, version }: Disclosure): Promise<unknown> {
  // What the server asked for stands in its own words.
  const body = { feature, version: Number(version) } as Body<"/api/user/acceptDisclosure">
  return call("/api/user/acceptDisclosure", body, { quiet: true })
}

export const disclosuresQuery = () => callQuery("/api/user/disclosures", {})
