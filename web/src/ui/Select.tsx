import { type ComponentProps, type ReactNode, useId } from "react"
import { Icon } from "./Icon.tsx"

interface Props extends Omit<ComponentProps<"select">, "className" | "id" | "children"> {
  label: string
  options: readonly { value: string; label: string }[]
  /** What stands there while nothing is chosen. */
  placeholder: string
  error?: ReactNode
}

/** One of many by its name, with the device's own list. */
export function Select({ label, options, placeholder, error, ...select }: Props) {
  const id = useId()
  const wrong = error !== undefined
  return (
    <div className="mt-4">
      <label htmlFor={id} className="mb-1.5 block text-small text-t3">
        {label}
      </label>
      <div
        className={`relative flex min-h-[3.25rem] items-center rounded-chip bg-s2 ring-1 ring-inset focus-within:ring-2 focus-within:ring-brand-text ${wrong ? "ring-danger" : "ring-field"}`}
      >
        <select
          {...select}
          id={id}
          aria-invalid={wrong}
          aria-describedby={wrong ? `${id}-note` : undefined}
          className="min-w-0 flex-1 appearance-none self-stretch rounded-chip bg-transparent px-4 pr-10 text-t1 outline-none"
        >
          <option value="">{placeholder}</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon name="expand" size={5} className="pointer-events-none absolute right-3 text-t3" />
      </div>
      {wrong && (
        <p id={`${id}-note`} className="mt-1.5 text-small text-danger">
          {error}
        </p>
      )}
    </div>
  )
}
