import { type ReactNode, useId } from "react"

export interface Option<V extends string> {
  value: V
  label: string
  disabled?: boolean
  /** A dot beside the label, and what it says. */
  dot?: string
}

export interface ChoiceProps<V extends string, O extends { value: V }> {
  /** What is chosen here, for readers. */
  label: string
  options: readonly O[]
  value: V | null
  onChange: (value: V) => void
}

/** The look of a choice whose radio has the focus. */
export const FOCUS =
  "has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand-text"

/** A named group in which one is chosen. */
export function Group({
  label,
  className,
  children,
}: {
  label: string
  className: string
  children: (name: string) => ReactNode
}) {
  const name = useId()
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{label}</legend>
      <div className={className}>{children(name)}</div>
    </fieldset>
  )
}

interface RadioProps {
  name: string
  chosen: boolean
  disabled: boolean | undefined
  onChoose: () => void
  className: string
  children: ReactNode
}

/** One choice of a group: a native radio, so that arrow keys work, under any look. */
export function Radio({ name, chosen, disabled, onChoose, className, children }: RadioProps) {
  return (
    <label
      className={`relative ${className} transition-colors duration-[120ms] has-disabled:cursor-not-allowed has-disabled:opacity-50`}
    >
      <input
        type="radio"
        name={name}
        className="sr-only"
        checked={chosen}
        disabled={disabled}
        onChange={onChoose}
      />
      {children}
    </label>
  )
}
