import { useLingui } from "@lingui/react/macro"
import type { Kind } from "./limits.ts"

interface Words {
  title: string
  /** What counts against it. */
  counts: string
}

/** The limits' names, and what each counts. */
export function useWords(): Record<Kind, Words> {
  const { t } = useLingui()
  return {
    stake: {
      title: t`Stakes`,
      counts: t`A bet counts in full when it is placed.`,
    },
    loss: {
      title: t`Losses`,
      counts: t`Lost stakes less prizes. A bet that is still open counts as lost until it has come back.`,
    },
    topup: {
      title: t({ message: "Top-ups", context: "a kind of movement" }),
      counts: t`A top-up above it is credited, but can't be staked or invested that day.`,
    },
  }
}
