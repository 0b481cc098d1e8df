import { formatAmount, formatPercent, isNegative, isZero } from "../lib/money.ts"
import { useSetting } from "../lib/useSetting.ts"

import { Dots } from "./Dots.tsx"

interface Props {
  value: string
  /** The same change as a fraction ("0.0127"). */
  fraction?: string
  private?: boolean
  most?: number
}

/** A rise or a fall: arrow, figure and colour, so that no one of them has to say it alone. */
export function Change({ value, fraction, private: own, most = 2 }: Props) {
  const [hidden] = useSetting("hide")
  const down = isNegative(value)
  const none = isZero(value)
  const figures = [
    ...(own && hidden ? [] : [formatAmount(value.replace(/^-/, ""), { most })]),
    ...(fraction === undefined ? [] : [formatPercent(fraction.replace(/^-/, ""))]),
  ]
  return (
    <span className={`whitespace-nowrap ${none ? "text-t3" : down ? "text-down" : "text-up"}`}>
      <span aria-hidden="true">{none ? "" : down ? "▼ " : "▲ "}</span>
      <span className="sr-only">{none ? "" : down ? "−" : "+"}</span>
      {own && hidden && <Dots />}
      {own && hidden && figures.length > 0 && " · "}
      {figures.join(" · ")}
    </span>
  )
}
