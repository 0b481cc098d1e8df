import type { ReactNode } from "react"

/** Names and what they are, one under the other; null leaves a line out. */
export function Facts({ of }: { of: readonly (readonly [string, ReactNode] | null)[] }) {
  return (
    <dl className="mt-4">
      {of
        .filter((line) => line !== null)
        .map(([name, value]) => (
          <div
            key={name}
            className="flex min-h-10 flex-wrap items-baseline justify-between gap-x-4 border-b border-line py-2 last:border-0"
          >
            <dt className="text-small text-t3">{name}</dt>
            <dd className="min-w-0 max-w-full text-right break-words">{value}</dd>
          </div>
        ))}
    </dl>
  )
}
