import { type ReactNode, type Ref, useId } from "react"
import { Icon } from "./Icon.tsx"

interface Props {
  checked: boolean
  onChange: (checked: boolean) => void
  children: ReactNode
  error?: ReactNode
  ref?: Ref<HTMLInputElement>
}

/** A sentence to agree to. */
export function Check({ checked, onChange, children, error, ref }: Props) {
  const id = useId()
  return (
    <>
      <label htmlFor={id} className="mt-2 flex min-h-11 items-start gap-3 py-2 text-small text-t2">
        <input
          id={id}
          ref={ref}
          type="checkbox"
          className="peer sr-only"
          checked={checked}
          aria-invalid={error !== undefined}
          aria-describedby={error !== undefined ? `${id}-note` : undefined}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span
          aria-hidden="true"
          className={`mt-px grid size-6 shrink-0 place-items-center rounded-cell ring-1 ring-inset peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-brand-text ${checked ? "bg-brand text-on-brand ring-brand" : error !== undefined ? "bg-s2 ring-danger" : "bg-s2 ring-field"}`}
        >
          {checked && <Icon name="check" size={4} />}
        </span>
        <span className="flex-1 pt-0.5">{children}</span>
      </label>
      {error !== undefined && (
        <p id={`${id}-note`} className="mt-1.5 text-small text-danger">
          {error}
        </p>
      )}
    </>
  )
}
