interface Props {
  done: number
  all: number
}

const RADIUS = 40
const ROUND = 2 * Math.PI * RADIUS
const GAP = 10

/** How many of a few checks are met, as a ring of as many arcs. What it says stands in words beside it. */
export function ScoreRing({ done, all }: Props) {
  const part = ROUND / all
  return (
    <div className="relative grid size-24 shrink-0 place-items-center">
      <svg
        aria-hidden="true"
        viewBox="0 0 96 96"
        className="absolute inset-0 -rotate-90"
        fill="none"
        strokeWidth={8}
        strokeLinecap="round"
      >
        {Array.from({ length: all }, (_, index) => (
          <circle
            key={index}
            cx={48}
            cy={48}
            r={RADIUS}
            strokeDasharray={`${part - GAP - 8} ${ROUND}`}
            strokeDashoffset={-part * index - (GAP + 8) / 2}
            className={index < done ? "stroke-brand-text" : "stroke-s3"}
          />
        ))}
      </svg>
      <span aria-hidden="true" className="text-h1">
        {done}
        <span className="text-small text-t3">/{all}</span>
      </span>
    </div>
  )
}
