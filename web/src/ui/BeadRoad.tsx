import { useLingui } from "@lingui/react/macro"

const ROWS = 5

/** The last digits as a road: columns of five from the left, the newest at the end of the last one. */
export function BeadRoad({ digits }: { digits: readonly (number | null)[] }) {
  const { t } = useLingui()
  const text = digits.map((digit) => digit ?? "–").join(" ")
  return (
    <div
      role="img"
      aria-label={t`Digits from old to new: ${text}`}
      style={{ gridTemplateRows: `repeat(${ROWS}, auto)` }}
      className="grid grid-flow-col justify-start gap-1.5"
    >
      {digits.map((digit, index) => (
        <span
          key={index}
          className={`grid size-[1.625rem] place-items-center rounded-full font-mono text-small font-semibold ${digit === null ? "text-t3" : digit % 2 === 1 ? "text-brand-text ring-[1.5px] ring-brand-text ring-inset" : "bg-s3 text-t1"}`}
        >
          {digit ?? "–"}
        </span>
      ))}
    </div>
  )
}
