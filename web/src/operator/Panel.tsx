import type { ReactNode } from "react"

interface Props {
  title: string
  note?: ReactNode
  children: ReactNode
}

/** A part of a page under its own title. */
export function Panel({ title, note, children }: Props) {
  return (
    <section className="min-w-0 rounded-card bg-s1 p-5">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 className="font-semibold">{title}</h2>
        {note !== undefined && <span className="max-w-full text-small text-t3">{note}</span>}
      </div>
      {children}
    </section>
  )
}
