import { Trans, useLingui } from "@lingui/react/macro"
import { type FocusEvent, type PointerEvent, type ReactNode, type RefObject, useLayoutEffect } from "react"
import { createPortal } from "react-dom"
import { buzz } from "../lib/haptics.ts"
import { decimalSeparator } from "../lib/money.ts"
import { movement } from "../lib/movement.ts"
import { Icon } from "./Icon.tsx"

interface Props {
  ref: RefObject<HTMLFieldSetElement | null>
  label: string
  /** What is typed into: inside a sheet the keypad stands in that sheet. */
  field: HTMLElement | null
  /** A digit, the separator, or "erase". */
  onKey: (key: string) => void
  onLeave: (event: FocusEvent) => void
  onDone: () => void
}

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"]
const SHEET = '[role="dialog"]'

/** Our own digits at the foot of the page: large keys, the language's separator, no system keyboard. */
export function Keypad({ ref, label, field, onKey, onLeave, onDone }: Props) {
  const { t } = useLingui()
  const separator = decimalSeparator()
  useRoom(field, ref)
  // The field keeps its focus while keys are pressed.
  const keep = (event: PointerEvent) => event.preventDefault()
  const key = (name: string, face: ReactNode = name, spoken?: string) => (
    <button
      key={name}
      type="button"
      tabIndex={-1}
      aria-label={spoken}
      onClick={() => {
        buzz()
        onKey(name)
      }}
      className="grid min-h-[3.25rem] place-items-center rounded-control bg-s2 text-h2 font-medium active:bg-s3 short:min-h-11"
    >
      {face}
    </button>
  )
  return createPortal(
    <fieldset
      ref={ref}
      onPointerDown={keep}
      onBlur={onLeave}
      className="fixed inset-x-0 bottom-0 z-[60] mx-auto w-full max-w-column animate-enter rounded-t-sheet bg-s1 px-4 pt-3 pb-[calc(1rem+env(safe-area-inset-bottom))] shadow-sheet short:pt-2 short:pb-[calc(0.5rem+env(safe-area-inset-bottom))]"
    >
      <legend className="sr-only">{label}</legend>
      <div className="short:flex short:flex-row-reverse short:items-center">
        <div className="mb-1 flex justify-end short:mb-0">
          <button
            type="button"
            tabIndex={-1}
            onClick={onDone}
            className="min-h-11 px-3 font-medium text-brand-text"
          >
            <Trans>Done</Trans>
          </button>
        </div>
        <div className="grid grid-cols-3 gap-2 short:grow short:grid-cols-6">
          {DIGITS.map((digit) => key(digit))}
          {key(separator, separator, t`decimal separator`)}
          {key("0")}
          {key("erase", <Icon name="erase" />, t`erase`)}
        </div>
      </div>
    </fieldset>,
    field?.closest(SHEET) ?? document.body,
  )
}

/** Give the page, or the sheet, room under its end while the keypad stands there, and bring the field in above it. */
function useRoom(field: HTMLElement | null, keypad: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const sheet = field?.closest<HTMLElement>("[data-sheet-body]")
    const padded = sheet ?? document.body
    const scroller = sheet ?? document.documentElement
    const give = (room: string) => {
      padded.style.paddingBlockEnd = room
      scroller.style.scrollPaddingBlockEnd = room
    }
    const make = () => {
      give(`${keypad.current?.offsetHeight ?? 0}px`)
      field?.scrollIntoView?.({ block: "center", behavior: movement() })
    }
    make()
    // The phone is turned, or its owner makes the text larger.
    const sizes = globalThis.ResizeObserver && new ResizeObserver(make)
    if (keypad.current) sizes?.observe(keypad.current)
    return () => {
      sizes?.disconnect()
      give("")
    }
  }, [field, keypad])
}
