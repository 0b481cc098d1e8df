import { TOPICS, type Topic } from "../../lib/help.ts"
import { wordsIn } from "../../lib/searched.ts"

export interface HelpSearch {
  topic?: Topic
  /** The words that are looked for. */
  q?: string
}

const LONGEST = 80

/** /help: one topic, and words to look for. */
export function validateHelp(raw: Record<string, unknown>): HelpSearch {
  // The router reads "10" as a number.
  const q = typeof raw.q === "string" || typeof raw.q === "number" ? String(raw.q).slice(0, LONGEST) : ""
  return { ...wordsIn(raw, { topic: TOPICS }), ...(q !== "" && { q }) }
}
