import { useLingui } from "@lingui/react/macro"
import { useId, useRef } from "react"
import { Icon } from "./Icon.tsx"
import { IconButton } from "./IconButton.tsx"

interface Props {
  label: string
  value: string
  onChange: (text: string) => void
}

/** Words to look for, with the way to take them back. */
export function SearchField({ label, value, onChange }: Props) {
  const { t } = useLingui()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className="flex min-h-12 items-center rounded-control bg-s2 pl-3.5 ring-1 ring-field ring-inset transition-shadow duration-[120ms] focus-within:ring-2 focus-within:ring-brand-text">
      <Icon name="search" size={5} className="text-t3" />
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <input
        id={id}
        ref={input}
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="min-w-0 flex-1 self-stretch bg-transparent px-3 text-t1 outline-none placeholder:text-t3 [&::-webkit-search-cancel-button]:hidden"
      />
      {value !== "" && (
        <IconButton
          icon="close"
          size={5}
          label={t`Clear the search`}
          onPress={() => {
            onChange("")
            input.current?.focus()
          }}
        />
      )}
    </div>
  )
}
