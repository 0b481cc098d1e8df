import { useLingui } from "@lingui/react/macro"
import { useEffect, useRef, useState } from "react"
import { Button } from "./Button.tsx"
import { isWrong, type SlideState, useSlideState } from "./slideState.ts"
import TonesField from "./TonesField.tsx"

interface Props {
  /** None while it loads. */
  drawn: { captcha_id: string; tones: string | null } | undefined
  state: SlideState
  onCount: (code: string) => void
  onRefresh: () => void
}

/** What whoever can't see a slide does instead: count tones. */
export function SlideTones({ drawn, state, onCount, onRefresh }: Props) {
  const { t } = useLingui()
  const [typed, setTyped] = useState({ of: "", code: "" })
  const said = useSlideState(state)
  const of = drawn?.captcha_id ?? ""
  // What was typed answers no others.
  const code = typed.of === of ? typed.code : ""
  const judged = state === "checking" || state === "done"
  const wrong = isWrong(state)
  const field = useRef<HTMLInputElement>(null)
  // The button that was pressed can't be any more: what is to be done again is there.
  useEffect(() => {
    if (wrong) field.current?.focus()
  }, [wrong])
  const count = () => {
    if (drawn !== undefined && !judged && code !== "") onCount(code)
  }
  return (
    <div>
      <TonesField
        captcha={{ drawn, refresh: onRefresh }}
        still={judged}
        ref={(input) => {
          field.current = input
        }}
        value={code}
        onChange={(event) => setTyped({ of, code: event.target.value })}
        onKeyDown={(event) => {
          // One that ends the typing of a sign is none.
          if (event.key === "Enter" && !event.nativeEvent.isComposing) count()
        }}
      />
      <p
        role="status"
        className={`my-2 min-h-4.5 text-small ${wrong ? "text-danger" : state === "done" ? "text-up" : "text-t3"}`}
      >
        {said}
      </p>
      <Button
        kind="quiet"
        small
        busy={state === "checking"}
        disabled={drawn === undefined || judged || code === ""}
        onPress={count}
      >
        {t`Check`}
      </Button>
    </div>
  )
}
