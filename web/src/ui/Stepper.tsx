import { useLingui } from "@lingui/react/macro"
import { type KeyboardEvent, useId, useState } from "react"
import { digitsOf } from "../lib/digits.ts"
import { formatCount } from "../lib/money.ts"
import { IconButton } from "./IconButton.tsx"

interface Props {
  label: string
  value: number
  onChange: (value: number) => void
  least?: number
  most: number
}

/** A small whole number: less, more, or typed in any digits; always within its bounds. */
export function Stepper({ label, value, onChange, least = 1, most }: Props) {
  const { t } = useLingui()
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const to = (next: number) => {
    setTyped(null)
    onChange(Math.min(most, Math.max(least, next)))
  }
  const take = () => {
    if (typed !== null) to(digitsOf(typed) ?? value)
  }
  const keys: Record<string, number> = { ArrowUp: value + 1, ArrowDown: value - 1, Home: least, End: most }
  const press = (event: KeyboardEvent) => {
    if (event.key === "Enter") take()
    const next = keys[event.key]
    if (next === undefined) return
    event.preventDefault()
    to(next)
  }
  return (
    <div className="flex min-h-14 items-center justify-between gap-3">
      <label htmlFor={id}>{label}</label>
      <div className="flex items-center rounded-control bg-s2">
        <IconButton
          icon="minus"
          size={5}
          label={t`One less`}
          disabled={value <= least}
          onPress={() => to(value - 1)}
        />
        <input
          id={id}
          role="spinbutton"
          inputMode="numeric"
          autoComplete="off"
          aria-valuenow={value}
          aria-valuemin={least}
          aria-valuemax={most}
          value={typed ?? formatCount(value)}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={take}
          onKeyDown={press}
          className="min-h-11 w-14 rounded-cell bg-transparent text-center font-semibold"
        />
        <IconButton
          icon="plus"
          size={5}
          label={t`One more`}
          disabled={value >= most}
          onPress={() => to(value + 1)}
        />
      </div>
    </div>
  )
}
