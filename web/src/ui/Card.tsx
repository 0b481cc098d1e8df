import type { ReactNode } from "react"

interface Props {
  children: ReactNode
  title?: ReactNode
  /** A quiet word at the right of the title. */
  note?: ReactNode
  /** Rows bring their own vertical space. */
  flush?: boolean
}

/** A calm surface, one step above the page. */
export function Card({ children, title, note, flush }: Props) {
  return (
    <section className={`mt-4 rounded-card bg-s1 px-4 ${flush ? "py-1.5" : "py-4"}`}>
      {title !== undefined && (
        <div className={`flex flex-wrap items-baseline justify-between gap-x-3 ${flush ? "pt-2.5" : "mb-3"}`}>
          <h2 className="font-semibold">{title}</h2>
          {note !== undefined && <span className="wrap-anywhere text-small text-t3">{note}</span>}
        </div>
      )}
      {children}
    </section>
  )
}
