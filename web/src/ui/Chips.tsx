import { useEffect, useRef } from "react"
import { type ChoiceProps, FOCUS, Group, type Option, Radio } from "./choices.tsx"

/** One of several filters. Long rows scroll sideways, to the chosen one by themselves. */
export function Chips<V extends string>({ label, options, value, onChange }: ChoiceProps<V, Option<V>>) {
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice is the reason to scroll
  useEffect(() => {
    const chosen = box.current?.querySelector("input:checked")?.parentElement
    const row = chosen?.parentElement
    if (chosen && row) row.scrollLeft = chosen.offsetLeft - (row.clientWidth - chosen.offsetWidth) / 2
  }, [value])
  return (
    <div ref={box}>
      <Group
        label={label}
        className="relative -mx-5 flex gap-2 overflow-x-auto px-5 py-1 [scrollbar-width:none] max-narrow:-mx-4 max-narrow:px-4"
      >
        {(name) =>
          options.map((option) => (
            <Radio
              key={option.value}
              name={name}
              chosen={option.value === value}
              disabled={option.disabled}
              onChoose={() => onChange(option.value)}
              className={`grid min-h-11 place-items-center rounded-full px-4 text-small whitespace-nowrap ${FOCUS} ${option.value === value ? "bg-s3 text-t1 ring-2 ring-brand-text ring-inset" : "bg-s2 text-t2"}`}
            >
              {option.label}
            </Radio>
          ))
        }
      </Group>
    </div>
  )
}
