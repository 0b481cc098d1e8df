import { heights } from "../lib/money.ts"

interface Props {
  /** Oldest first. */
  values: readonly string[]
  tone?: "up" | "down" | "plain"
  className?: string
}

const TONES = { up: "stroke-up", down: "stroke-down", plain: "stroke-t2" } as const

/** The way of a value as one line, without axes; the figures stand beside it. */
export function Sparkline({ values, tone = "plain", className = "h-8 w-20" }: Props) {
  // Its place is kept until there is a line to draw.
  if (values.length < 2) return <span aria-hidden="true" className={`block ${className}`} />
  const points = heights(values).map(
    (height, index) => `${(index / (values.length - 1)) * 98 + 1},${30 - height * 28}`,
  )
  return (
    <svg viewBox="0 0 100 32" preserveAspectRatio="none" aria-hidden="true" className={className} fill="none">
      <polyline
        points={points.join(" ")}
        strokeWidth={1.75}
        vectorEffect="non-scaling-stroke"
        strokeLinecap="round"
        strokeLinejoin="round"
        className={TONES[tone]}
      />
    </svg>
  )
}
