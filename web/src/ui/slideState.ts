import { useLingui } from "@lingui/react/macro"

export type SlideState = "ready" | "checking" | "done" | "missed" | "expired"

/** Whether the last answer was a wrong or a late one: another is asked for then. */
export const isWrong = (state: SlideState) => state === "missed" || state === "expired"

/** What is said of a slide, or of the tones in its place; nothing while it waits for somebody. */
export function useSlideState(state: SlideState): string {
  const { t } = useLingui()
  return {
    ready: "",
    checking: t`Checking`,
    done: t`Verified`,
    missed: t`Not quite. Please try another one.`,
    expired: t`That took too long. Please try another one.`,
  }[state]
}
