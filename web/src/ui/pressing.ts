import { SEPARATOR } from "../lib/money.ts"

const LONGEST = 20

interface Place {
  /** Decimals that the asset has. */
  decimals: number
  /** The selection; at the end where there is none. */
  from?: number | null | undefined
  to?: number | null | undefined
}

/** The text after a key of the keypad (a digit, the separator, "erase"), and where the caret then stands. */
export function press(
  text: string,
  key: string,
  { decimals, from, to }: Place,
): { text: string; caret: number } {
  const start = from ?? text.length
  const end = to ?? text.length
  if (key === "erase") {
    const cut = start === end ? Math.max(0, start - 1) : start
    return { text: text.slice(0, cut) + text.slice(end), caret: cut }
  }
  const head = text.slice(0, start)
  const tail = text.slice(end)
  const kept = { text, caret: end }
  const separated = SEPARATOR.test(head + tail)
  if (SEPARATOR.test(key)) {
    if (separated || tail.length > decimals || decimals === 0) return kept
    const whole = head || "0"
    return { text: whole + key + tail, caret: whole.length + 1 }
  }
  const zero = head === "0" && tail === ""
  const next = (zero ? "" : head) + key + tail
  if (next.length > LONGEST || (next.split(SEPARATOR)[1]?.length ?? 0) > decimals) return kept
  return { text: next, caret: next.length - tail.length }
}
