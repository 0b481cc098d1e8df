import { TOPICS, type Topic } from "../../lib/help.ts"
import { soughtIn, wordsIn } from "../../lib/searched.ts"

export interface HelpSearch {
  topic?: Topic
  /** The words that are looked for. */
  q?: string
}

/** /help: one topic, and words to look for. */
export function validateHelp(raw: Record<string, unknown>): HelpSearch {
  return { ...wordsIn(raw, { topic: TOPICS }), ...soughtIn(raw) }
}
