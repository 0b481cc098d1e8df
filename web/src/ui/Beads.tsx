import { useLingui } from "@lingui/react/macro"

// From here on the beads fill the line.
const FULL = 12

/** Result digits, newest last: hollow for odd, filled for even, so that the shape tells them apart. A dash for a void round. */
export function Beads({ digits }: { digits: readonly (number | null)[] }) {
  const { t } = useLingui()
  const text = digits.map((digit) => digit ?? "–").join(" ")
  return (
    <div
      role="img"
      aria-label={t`Last digits: ${text}`}
      className={`grid auto-cols-[minmax(0,1rem)] grid-flow-col font-mono text-caption font-semibold ${digits.length < FULL ? "justify-start gap-1.5" : "justify-between gap-0.5"}`}
    >
      {digits.map((digit, index) => (
        <span
          key={index}
          className={`grid aspect-square place-items-center rounded-full leading-none ${digit === null ? "text-t3" : digit % 2 === 1 ? "text-brand-text ring-[1.5px] ring-brand-text ring-inset" : "bg-s3 text-t1"}`}
        >
          {digit ?? "–"}
        </span>
      ))}
    </div>
  )
}
