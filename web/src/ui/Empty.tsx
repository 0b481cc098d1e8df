import type { ReactElement, ReactNode } from "react"

interface Props {
  text: ReactNode
  /** None only in the console, where the way on stands beside the list. */
  action: ReactElement | null
}

/** Nothing here yet: the ribbon without a hash, one sentence, one way on. */
export function Empty({ text, action }: Props) {
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-5 py-12 text-center">
      <div aria-hidden="true" className="flex gap-1">
        {Array.from({ length: 7 }, (_, index) => (
          <span
            key={index}
            className={`h-10 w-7 rounded-cell ${index === 4 ? "ring-2 ring-brand-text ring-inset" : "bg-s2"}`}
          />
        ))}
      </div>
      <p className="max-w-72 text-balance text-t2">{text}</p>
      {action && <div className="w-full max-w-72">{action}</div>}
    </div>
  )
}
