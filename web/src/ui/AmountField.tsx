import { Plural, Trans, useLingui } from "@lingui/react/macro"
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react"
import { formatAmount, inputForm, parseAmount } from "../lib/money.ts"
import { AssetKey, MaxKey } from "./AmountKeys.tsx"
import { Keypad } from "./Keypad.tsx"
import { press } from "./pressing.ts"

interface Props {
  label: string
  /** What was typed, as it was typed; `parseAmount` reads it. */
  value: string
  onChange: (text: string) => void
  asset?: string
  /** Another asset can be chosen: pressing its name changes it. */
  onAsset?: () => void
  /** The most that it can be: a key fills it in. */
  max?: string | undefined
  /** Beside the figure: what it would bring. */
  aside?: ReactNode
  hint?: ReactNode
  /** What is wrong with the amount. */
  problem?: ReactNode
  /** Decimals that the asset has. */
  decimals?: number
}

/** Firefox, until it can, gives a separator the room of a digit. */
const FITS = globalThis.CSS?.supports?.("field-sizing", "content") === true

/** An amount as the headline it is, typed on our own keypad or any keyboard, with any decimal separator and digits. */
export function AmountField(props: Props) {
  const { label, value, onChange, asset, onAsset, max, aside, hint, problem, decimals = 8 } = props
  const { t } = useLingui()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const block = useRef<HTMLDivElement>(null)
  const keypad = useRef<HTMLFieldSetElement>(null)
  const [open, setOpen] = useState(false)
  const caret = useRef<number | null>(null)
  const wrong = problem ?? <Misread text={value} decimals={decimals} />
  const parsed = parseAmount(value, decimals)
  const told = problem !== undefined || (value !== "" && "problem" in parsed && parsed.problem !== "empty")
  const read = "value" in parsed ? formatAmount(parsed.value, { least: 0 }) : ""
  // Not where it stands as the member writes amounts: in another notation the same text is another amount.
  const echo = "value" in parsed && value !== read && value !== inputForm(parsed.value)
  // The field and what is said about it stay above the keypad.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new sentence changes the block's height
  useLayoutEffect(() => {
    if (open) block.current?.scrollIntoView?.({ block: "nearest" })
  }, [open, told])
  // A key of the keypad types where the caret stood, and moves it as a keyboard would.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caret is set when the new text stands
  useLayoutEffect(() => {
    if (caret.current !== null) input.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  }, [value])
  const type = (key: string) => {
    const { selectionStart, selectionEnd } = input.current ?? {}
    const next = press(value, key, { decimals, from: selectionStart, to: selectionEnd })
    caret.current = next.caret
    onChange(next.text)
  }
  // Readers for the blind move the focus onto the key that they press.
  const leave = ({ relatedTarget }: FocusEvent) => {
    if (!keypad.current?.contains(relatedTarget)) setOpen(false)
  }
  const close = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !open) return
    // It closes the keypad, not the sheet under it.
    event.stopPropagation()
    setOpen(false)
  }
  return (
    <div ref={block} className="scroll-mb-4">
      <div className="flex flex-wrap items-end justify-between gap-x-4">
        <div className="max-w-full min-w-0">
          <label htmlFor={id} className="block text-small text-t3">
            {label}
          </label>
          <div className="flex items-baseline gap-2">
            {/* The finger's place is wider than a figure of one digit. */}
            <span className="flex max-w-full min-w-0 focus-within:shadow-[inset_0_-2px_0_var(--brand-text)]">
              <input
                id={id}
                ref={input}
                inputMode="none"
                autoComplete="off"
                placeholder="0"
                value={value}
                aria-invalid={told}
                aria-describedby={`${id}-note`}
                onChange={(event) => onChange(event.target.value)}
                onFocus={() => setOpen(true)}
                onClick={() => setOpen(true)}
                onBlur={leave}
                onKeyDown={close}
                style={FITS ? undefined : { inlineSize: `${Math.max(1, value.length) + 0.2}ch` }}
                className="field-sizing-content -mx-3 box-content min-h-11 min-w-0 bg-transparent px-3 text-display caret-brand-text outline-none placeholder:text-t3"
              />
            </span>
            {asset !== undefined &&
              (onAsset ? (
                <AssetKey asset={asset} onPress={onAsset} />
              ) : (
                <span className="text-h2 text-t3">{asset}</span>
              ))}
          </div>
        </div>
        {aside !== undefined && <div className="ml-auto shrink-0 text-right">{aside}</div>}
        {max !== undefined && <MaxKey max={max} onPress={() => onChange(inputForm(max))} />}
      </div>
      <p
        id={`${id}-note`}
        role="status"
        className={`min-h-5 pt-0.5 text-small ${told ? "text-danger" : "text-t3"}`}
      >
        {told ? wrong : echo ? <Trans>Read as {read}</Trans> : hint}
      </p>
      {open && (
        <Keypad
          ref={keypad}
          label={t`Keypad`}
          field={input.current}
          onKey={type}
          onLeave={leave}
          onDone={() => {
            setOpen(false)
            input.current?.blur()
          }}
        />
      )}
    </div>
  )
}

/** Why the text can't be read as an amount. */
function Misread({ text, decimals }: { text: string; decimals: number }) {
  const parsed = parseAmount(text, decimals)
  if (!("problem" in parsed)) return null
  if (parsed.problem === "two_separators")
    return <Trans>Type one decimal separator and no thousands separators</Trans>
  if (parsed.problem === "too_long") return <Trans>That is more digits than an amount can have</Trans>
  if (parsed.problem === "too_fine")
    return (
      <Plural value={decimals} _0="Whole numbers only" one="At most # decimal" other="At most # decimals" />
    )
  if (parsed.problem === "not_a_number") return <Trans>Only digits and one separator</Trans>
  return null
}
