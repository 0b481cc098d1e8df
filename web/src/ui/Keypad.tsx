import { Trans, useLingui } from "@lingui/react/macro"
import { type PointerEvent, type ReactNode, useEffect } from "react"
import { createPortal } from "react-dom"
import { buzz } from "../lib/haptics.ts"
import { decimalSeparator } from "../lib/money.ts"
import { Icon } from "./Icon.tsx"

interface Props {
  label: string
  /** A digit, the separator, or "erase". */
  onKey: (key: string) => void
  onDone: () => void
}

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"]

/** Our own digits at the foot of the page: large keys, the language's separator, no system keyboard. */
export function Keypad({ label, onKey, onDone }: Props) {
  const { t } = useLingui()
  const separator = decimalSeparator()
  useRoom()
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
      className="grid min-h-[3.25rem] place-items-center rounded-control bg-s2 text-h2 font-medium active:bg-s3"
    >
      {face}
    </button>
  )
  return createPortal(
    <fieldset
      onPointerDown={keep}
      className="fixed inset-x-0 bottom-0 z-40 mx-auto max-w-column animate-enter rounded-t-sheet bg-s1 px-4 pt-3 pb-[calc(1rem+env(safe-area-inset-bottom))] shadow-sheet"
    >
      <legend className="sr-only">{label}</legend>
      <div className="mb-2 flex justify-end">
        <button
          type="button"
          tabIndex={-1}
          onClick={onDone}
          className="min-h-10 px-3 font-medium text-brand-text"
        >
          <Trans>Done</Trans>
        </button>
      </div>
      <div className="grid grid-cols-3 gap-2">
        {DIGITS.map((digit) => key(digit))}
        {key(separator, separator, t`decimal separator`)}
        {key("0")}
        {key("erase", <Icon name="erase" />, t`erase`)}
      </div>
    </fieldset>,
    document.body,
  )
}

const HEIGHT = "20rem"

/** Give the page room under its end while the keypad stands there, and bring the field that is typed in above it. */
function useRoom(): void {
  useEffect(() => {
    const field = document.activeElement
    document.body.style.paddingBlockEnd = HEIGHT
    document.documentElement.style.scrollPaddingBlockEnd = HEIGHT
    field?.scrollIntoView({ block: "center", behavior: "smooth" })
    return () => {
      document.body.style.paddingBlockEnd = ""
      document.documentElement.style.scrollPaddingBlockEnd = ""
    }
  }, [])
}
