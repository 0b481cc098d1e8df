import { type ChoiceProps, FOCUS, Group, type Option, Radio } from "./choices.tsx"
import { UnreadDot } from "./UnreadDot.tsx"

/** One of a few words, side by side: the tabs of a screen, a setting. */
export function Segmented<V extends string>({ label, options, value, onChange }: ChoiceProps<V, Option<V>>) {
  return (
    <Group label={label} className="flex flex-wrap gap-1 rounded-control bg-s2 p-0.5">
      {(name) =>
        options.map((option) => (
          <Radio
            key={option.value}
            name={name}
            chosen={option.value === value}
            disabled={option.disabled}
            onChoose={() => onChange(option.value)}
            className={`grid min-h-11 min-w-fit flex-1 place-items-center rounded-chip px-1.5 text-small whitespace-nowrap ${FOCUS} ${option.value === value ? "bg-s3 font-medium text-t1 light:bg-s1" : "text-t3"}`}
          >
            {option.dot === undefined ? (
              option.label
            ) : (
              <span className="flex items-center gap-1.5">
                {option.label}
                <UnreadDot label={option.dot} />
              </span>
            )}
          </Radio>
        ))
      }
    </Group>
  )
}
