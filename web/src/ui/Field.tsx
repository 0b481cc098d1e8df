import { type ComponentProps, type ReactNode, useId } from "react"

export interface FieldProps extends Omit<ComponentProps<"input">, "className" | "id" | "size"> {
  label: string
  /** What is wrong with it; read out with the field. */
  error?: ReactNode
  hint?: ReactNode
  /** Inside the field at its right end. */
  trailing?: ReactNode
  mono?: boolean
}

/** A text field with its label above, and what is wrong or worth knowing under it. */
export function Field({ label, error, hint, trailing, mono, ...input }: FieldProps) {
  const id = useId()
  const wrong = error !== undefined && error !== null && error !== false && error !== ""
  return (
    <div className="mt-4">
      <label htmlFor={id} className="mb-1.5 block text-small text-t3">
        {label}
      </label>
      <div
        className={`flex min-h-[3.25rem] items-center rounded-chip bg-s2 ring-1 ring-inset transition-shadow duration-[120ms] focus-within:ring-2 focus-within:ring-brand-text ${wrong ? "ring-danger" : "ring-field"} ${input.readOnly ? "bg-s1" : ""}`}
      >
        <input
          {...input}
          id={id}
          aria-invalid={wrong}
          aria-describedby={wrong || hint !== undefined ? `${id}-note` : undefined}
          className={`min-w-0 flex-1 self-stretch bg-transparent px-4 text-t1 outline-none placeholder:text-t3 ${mono ? "font-mono" : ""}`}
        />
        {trailing}
      </div>
      {(wrong || hint !== undefined) && (
        <p id={`${id}-note`} className={`mt-1.5 text-small ${wrong ? "text-danger" : "text-t3"}`}>
          {wrong ? error : hint}
        </p>
      )}
    </div>
  )
}
