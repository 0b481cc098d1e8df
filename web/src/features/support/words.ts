import { useLingui } from "@lingui/react/macro"
import type { TicketShape } from "../../lib/api.gen.ts"
import type { Tone } from "../../ui/Tag.tsx"

/** What a ticket's state means to who asked. */
export function useStateWords(): Record<TicketShape["state"], { text: string; tone: Tone }> {
  const { t } = useLingui()
  return {
    open: { text: t({ message: "Waiting for us", context: "a ticket" }), tone: "warn" },
    answered: { text: t({ message: "Answered", context: "a ticket" }), tone: "up" },
    closed: { text: t({ message: "Closed", context: "a ticket" }), tone: "quiet" },
  }
}
