import type { ReactNode } from "react"
import { type ChoiceProps, FOCUS, Group, Radio } from "./choices.tsx"

export interface Plate<V extends string> {
  value: V
  title: string
  chip?: ReactNode
  note?: ReactNode
  disabled?: boolean
}

/** Two or more large plates, one of which is chosen. */
export function Plates<V extends string>({ label, options, value, onChange }: ChoiceProps<V, Plate<V>>) {
  return (
    <Group label={label} className="grid grid-cols-2 gap-2.5">
      {(name) =>
        options.map((option) => (
          <Radio
            key={option.value}
            name={name}
            chosen={option.value === value}
            disabled={option.disabled}
            onChoose={() => onChange(option.value)}
            className={`rounded-control p-3.5 ${FOCUS} ${option.value === value ? "bg-s3 ring-2 ring-brand-text ring-inset" : "bg-s2"}`}
          >
            <span className="flex items-center justify-between gap-2">
              <span className="font-semibold">{option.title}</span>
              {option.chip !== undefined && (
                <span className="rounded-full bg-s1 px-2.5 py-0.5 text-caption text-t2">{option.chip}</span>
              )}
            </span>
            {option.note !== undefined && (
              <span className="mt-1 block text-small text-t3">{option.note}</span>
            )}
          </Radio>
        ))
      }
    </Group>
  )
}
