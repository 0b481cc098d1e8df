import { type ReactNode, useId } from "react"

interface Props {
  label: string
  note?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
}

/** A row with a switch at its end. */
export function Switch({ label, note, checked, onChange }: Props) {
  const id = useId()
  return (
    <label htmlFor={id} className="flex min-h-14 w-full items-center gap-3 py-2">
      <span className="flex-1">
        {label}
        {note !== undefined && <span className="block text-small text-t3">{note}</span>}
      </span>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={checked}
        className="peer sr-only"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span
        aria-hidden="true"
        className={`relative h-7 w-12 rounded-full ring-1 ring-inset transition-colors duration-[120ms] peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-brand-text ${checked ? "bg-brand ring-brand" : "bg-s2 ring-field"}`}
      >
        <span
          className={`absolute top-1 size-5 rounded-full transition-transform duration-[120ms] ease-calm ${checked ? "translate-x-6 bg-on-brand" : "translate-x-1 bg-t2"}`}
        />
      </span>
    </label>
  )
}
