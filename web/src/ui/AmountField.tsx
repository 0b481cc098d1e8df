import { Trans, useLingui } from "@lingui/react/macro"
import { type ReactNode, useEffect, useId, useRef, useState } from "react"
import { formatAmount, parseAmount } from "../lib/money.ts"
import { Icon } from "./Icon.tsx"
import { Keypad } from "./Keypad.tsx"

interface Props {
  label: string
  /** What was typed, as it was typed; `parseAmount` reads it. */
  value: string
  onChange: (text: string) => void
  asset?: string
  /** Another asset can be chosen: pressing its name changes it. */
  onAsset?: () => void
  /** Beside the figure: what it would bring. */
  aside?: ReactNode
  hint?: ReactNode
  /** What is wrong with the amount. */
  problem?: ReactNode
  /** Decimals that the asset has. */
  decimals?: number
}

/** An amount as the headline it is, typed on our own keypad or any keyboard, with any decimal separator. */
export function AmountField({
  label,
  value,
  onChange,
  asset,
  onAsset,
  aside,
  hint,
  problem,
  decimals = 8,
}: Props) {
  const { t } = useLingui()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [open, setOpen] = useState(false)
  const parsed = parseAmount(value)
  const spoken = useProblem(value)
  const wrong = problem ?? spoken
  const read = "value" in parsed ? formatAmount(parsed.value, { least: 0 }) : ""
  const block = useRef<HTMLDivElement>(null)
  const told = wrong !== undefined
  // The field and what is said about it stay above the keypad.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new sentence changes the block's height
  useEffect(() => {
    if (open) block.current?.scrollIntoView({ block: "nearest" })
  }, [open, told])
  return (
    <div ref={block} className="scroll-mb-[21rem]">
      <div className="flex flex-wrap items-end justify-between gap-x-4">
        <div className="max-w-full min-w-0">
          <label htmlFor={id} className="block text-small text-t3">
            {label}
          </label>
          <div className="flex items-baseline gap-2">
            <input
              id={id}
              ref={input}
              inputMode="none"
              autoComplete="off"
              placeholder="0"
              value={value}
              aria-invalid={wrong !== undefined}
              aria-describedby={`${id}-note`}
              onChange={(event) => onChange(event.target.value)}
              onFocus={() => setOpen(true)}
              onClick={() => setOpen(true)}
              onBlur={() => setOpen(false)}
              onKeyDown={(event) => event.key === "Escape" && setOpen(false)}
              style={{ inlineSize: `${Math.max(1, value.length) + 0.2}ch` }}
              className="max-w-full min-w-0 border-b-2 border-transparent bg-transparent text-display caret-brand-text outline-none placeholder:text-t3 focus:border-brand-text"
            />
            {asset !== undefined && onAsset === undefined && <span className="text-h2 text-t3">{asset}</span>}
            {asset !== undefined && onAsset !== undefined && (
              <button
                type="button"
                onClick={onAsset}
                aria-label={t`${asset}, press for another coin`}
                className="flex min-h-9 items-center gap-1 self-center rounded-chip bg-s2 pr-2 pl-2.5 text-body font-medium text-t1 active:bg-s3"
              >
                {asset}
                <Icon name="swap" size={4} className="text-t3" />
              </button>
            )}
          </div>
        </div>
        {aside !== undefined && <div className="ml-auto shrink-0 text-right">{aside}</div>}
      </div>
      <p
        id={`${id}-note`}
        role="status"
        className={`min-h-5 pt-0.5 text-small ${told ? "text-danger" : "text-t3"}`}
      >
        {wrong ??
          (read !== "" && "value" in parsed && parsed.value !== value && read !== value ? (
            <Trans>Read as {read}</Trans>
          ) : (
            hint
          ))}
      </p>
      {open && (
        <Keypad
          label={t`Keypad`}
          onKey={(key) => onChange(press(value, key, decimals))}
          onDone={() => input.current?.blur()}
        />
      )}
    </div>
  )
}

/** Why the text can't be read as an amount; nothing while it is empty. */
function useProblem(value: string): string | undefined {
  const { t } = useLingui()
  const parsed = parseAmount(value)
  if (!("problem" in parsed) || value === "") return undefined
  if (parsed.problem === "two_separators") return t`Type one decimal separator and no thousands separators`
  if (parsed.problem === "too_long") return t`That is more digits than an amount can have`
  if (parsed.problem === "not_a_number") return t`Only digits and one separator`
  return undefined
}

const LONGEST = 20

/** The text after a key of the keypad. */
export function press(text: string, key: string, decimals: number): string {
  if (key === "erase") return text.slice(0, -1)
  const [, fraction] = text.split(/[.,]/)
  if (/[.,]/.test(key)) return fraction !== undefined ? text : `${text || "0"}${key}`
  if (text.length >= LONGEST || (fraction !== undefined && fraction.length >= decimals)) return text
  return text === "0" ? key : text + key
}
