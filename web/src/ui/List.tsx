import type { ReactNode } from "react"

/** A card of rows. */
export function List({ children }: { children: ReactNode }) {
  return <div className="mt-4 rounded-card bg-s1 px-4 py-1.5">{children}</div>
}
