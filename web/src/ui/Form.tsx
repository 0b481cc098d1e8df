import type { FormEvent, ReactNode } from "react"

interface Props {
  onSubmit: (event: FormEvent) => void
  children: ReactNode
}

/** A form whose checks are ours: the browser's bubbles stay away. */
export function Form({ onSubmit, children }: Props) {
  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-1 flex-col">
      {children}
    </form>
  )
}
