import { useLingui } from "@lingui/react/macro"
import { useState } from "react"
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
  const still = drawn === undefined || state === "checking" || state === "done"
  const count = () => {
    if (!still && code !== "") onCount(code)
  }
  return (
    <div>
      <TonesField
        captcha={{ drawn, refresh: onRefresh }}
        value={code}
        onChange={(event) => setTyped({ of, code: event.target.value })}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return
          // The page's own form is not what is meant.
          event.preventDefault()
          count()
        }}
      />
      <p
        role="status"
        className={`my-2 min-h-4.5 text-small ${isWrong(state) ? "text-danger" : state === "done" ? "text-up" : "text-t3"}`}
      >
        {said}
      </p>
      <Button kind="quiet" small busy={state === "checking"} disabled={still || code === ""} onPress={count}>
        {t`Check`}
      </Button>
    </div>
  )
}
