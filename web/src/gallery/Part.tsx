import type { ReactNode } from "react"

/** One part of the kit with its states under its name. */
export function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section data-part={name} className="mt-10">
      <h2 className="mb-3 border-b border-line pb-2 text-h2">{name}</h2>
      <div className="flex flex-col gap-5">{children}</div>
    </section>
  )
}

/** One state, named as the design names it. */
export function State({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div data-state={name}>
      <p className="mb-1 font-mono text-caption text-t3">{name}</p>
      {children}
    </div>
  )
}
