import type { ReactNode } from "react"
import { FOCUS, Group, Radio } from "./choices.tsx"
import { Icon } from "./Icon.tsx"

interface Props<V extends string> {
  label: string
  options: readonly {
    value: V
    label: string
    icon?: ReactNode
    note?: ReactNode
    disabled?: boolean
    lang?: string
  }[]
  value: V | null
  onChange: (value: V) => void
}

/** One of a list, a row each, the chosen one ticked. */
export function ChoiceList<V extends string>({ label, options, value, onChange }: Props<V>) {
  return (
    <Group label={label} className="flex flex-col">
      {(name) =>
        options.map((option) => (
          <Radio
            key={option.value}
            name={name}
            chosen={option.value === value}
            disabled={option.disabled}
            onChoose={() => onChange(option.value)}
            className={`flex min-h-14 items-center gap-3 rounded-cell ${FOCUS}`}
          >
            {option.icon}
            <span lang={option.lang} className="flex-1">
              {option.label}
              {option.note !== undefined && <span className="block text-small text-t3">{option.note}</span>}
            </span>
            {option.value === value && <Icon name="check" size={5} className="text-brand-text" />}
          </Radio>
        ))
      }
    </Group>
  )
}
