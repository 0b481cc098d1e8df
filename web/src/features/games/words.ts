import { useLingui } from "@lingui/react/macro"
import type { ResultRow } from "../../lib/api.gen.ts"
import type { Outcome } from "./fairness.ts"

/** Names of games, options, rooms and reasons; a word that this build doesn't know is shown as it came. */
export function useWords() {
  const { t } = useLingui()
  const games: Record<string, string> = { odd_even: t`Odd / Even` }
  const options: Record<string, string> = { odd: t`Odd`, even: t`Even` }
  const inSentence: Record<string, string> = { odd: t`odd`, even: t`even` }
  const voids: Record<string, string> = {
    late_block: t`its block came more than 15 seconds after the close`,
    no_digit: t`its block's hash has no digit`,
    no_block: t`its block doesn't exist`,
  }
  const option = (name: string) => options[name] ?? name
  return {
    game: (name: string) => games[name] ?? name,
    option,
    optionInSentence: (name: string) => inSentence[name] ?? name,
    /** What a round that has closed decided; a block that came late makes it void before that is final. */
    result: ({ void_reason, outcome }: ResultRow) =>
      void_reason !== null ? t`Void` : outcome === null ? t`Waiting for the block` : option(outcome),
    voidReason: (name: string) => voids[name] ?? name,
    length: (seconds: number) => (seconds % 60 === 0 ? t`${seconds / 60} min` : t`${seconds} s`),
  }
}

/** The digits that an option wins on, in their order. */
export const DIGITS: Readonly<Record<Outcome, string>> = { odd: "1 3 5 7 9", even: "0 2 4 6 8" }
