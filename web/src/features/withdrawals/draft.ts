import { sessionPrint } from "../../lib/session.ts"
import type { Coin } from "./search.ts"

/**
 * What stood in the amount's field when an address was chosen for it on another screen. It is kept in the history, where Back
 * finds it: who comes there in another session, or after a withdrawal was made, finds nothing.
 */
export interface Draft {
  coin: Coin
  text: string
  of: string
  turn: number
}

let turn = 0

export const keptDraft = (coin: Coin, text: string): Draft => ({ coin, text, of: sessionPrint(), turn })

export const draftOf = (draft: Draft | undefined, coin: Coin): string =>
  draft?.of === sessionPrint() && draft.turn === turn && draft.coin === coin ? draft.text : ""

/** A withdrawal was made. */
export const endDrafts = () => void turn++
