import { type ReactNode, useId } from "react"
import { Icon } from "./Icon.tsx"
import type { IconName } from "./icons.ts"
import { Pressable, type Target } from "./Pressable.tsx"

interface Props extends Target {
  kind?: "primary" | "quiet" | "text" | "danger"
  children: ReactNode
  icon?: IconName
  busy?: boolean
  disabled?: boolean
  /** Why it can't be pressed now; shown under it. A button is never silently dead. */
  reason?: ReactNode
  submit?: boolean
  small?: boolean
}

const KINDS = {
  primary: "bg-brand text-on-brand active:opacity-85",
  quiet: "bg-s2 text-t1 active:bg-s3",
  text: "text-brand-text active:opacity-70",
  danger: "bg-danger text-on-danger active:opacity-85",
} as const

/** The one filled action of a screen, or a quiet one beside it. */
export function Button({
  kind = "primary",
  children,
  icon,
  busy,
  disabled,
  reason,
  submit,
  small,
  ...target
}: Props) {
  const id = useId()
  const size = small
    ? "min-h-11 px-4 rounded-control text-body font-medium"
    : "min-h-[3.25rem] px-5 rounded-control text-title"
  const off = disabled || busy || reason !== undefined
  return (
    <>
      <Pressable
        {...target}
        disabled={off}
        submit={submit}
        aria-describedby={reason !== undefined ? id : undefined}
        className={`flex w-full items-center justify-center gap-2 text-center transition-[background-color,opacity] duration-[120ms] ease-calm disabled:cursor-not-allowed ${busy ? "" : "disabled:bg-s2 disabled:text-t3"} ${size} ${KINDS[kind]}`}
      >
        {busy ? <Spinner /> : icon && <Icon name={icon} size={5} />}
        <span>{children}</span>
      </Pressable>
      {reason !== undefined && (
        <p id={id} className="mt-2 text-center text-small text-t3">
          {reason}
        </p>
      )}
    </>
  )
}

function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="size-5 animate-spin rounded-full border-2 border-current border-t-transparent"
    />
  )
}
