import { type ComponentProps, type ReactNode, useId } from "react"

interface Props extends Omit<ComponentProps<"textarea">, "className" | "id"> {
  label: string
  error?: ReactNode
  hint?: ReactNode
}

/** A field of several lines, with its label above and what is wrong or worth knowing under it. It grows as one types. */
export function TextArea({ label, error, hint, rows = 5, ...area }: Props) {
  const id = useId()
  const wrong = error !== undefined && error !== null && error !== ""
  return (
    <div className="mt-4">
      <label htmlFor={id} className="mb-1.5 block text-small text-t3">
        {label}
      </label>
      <textarea
        {...area}
        id={id}
        rows={rows}
        aria-invalid={wrong}
        aria-describedby={wrong || hint !== undefined ? `${id}-note` : undefined}
        className={`block field-sizing-content max-h-80 min-h-24 w-full resize-none rounded-chip bg-s2 px-4 py-3 text-t1 ring-1 outline-none ring-inset placeholder:text-t3 focus-visible:ring-2 focus-visible:ring-brand-text ${wrong ? "ring-danger" : "ring-field"}`}
      />
      {(wrong || hint !== undefined) && (
        <p id={`${id}-note`} className={`mt-1.5 text-small ${wrong ? "text-danger" : "text-t3"}`}>
          {wrong ? error : hint}
        </p>
      )}
    </div>
  )
}
