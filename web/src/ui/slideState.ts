import { useLingui } from "@lingui/react/macro"

export type SlideState = "ready" | "checking" | "done" | "missed" | "expired"

/** After it there is another one. */
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
