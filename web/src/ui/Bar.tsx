import { formatPercent } from "../lib/money.ts"

interface Props {
  /** Largest first; `share` is a fraction of the whole as a string. */
  parts: readonly { label: string; share: string }[]
}

const FILLS = ["bg-data-1", "bg-data-2", "bg-data-3", "bg-data-4", "bg-data-5"]

/** How a whole is made up: one bar in data colours, always labelled. */
export function Bar({ parts }: Props) {
  return (
    <div>
      <div className="mt-3.5 flex h-2 gap-px overflow-hidden rounded-full bg-s3" aria-hidden="true">
        {parts.map(({ label, share }, index) => (
          <span
            key={label}
            style={{ inlineSize: `calc(${share} * 100%)` }}
            className={FILLS[index % FILLS.length]}
          />
        ))}
      </div>
      <ul className="mt-2 flex flex-wrap justify-between gap-x-4 text-small text-t3">
        {parts.map(({ label, share }, index) => (
          <li key={label} className="flex items-center gap-1.5">
            <span aria-hidden="true" className={`size-2 rounded-full ${FILLS[index % FILLS.length]}`} />
            {label} {formatPercent(share, 0)}
          </li>
        ))}
      </ul>
    </div>
  )
}
