import { type HistoryState, Link } from "@tanstack/react-router"
import type { AriaAttributes, MouseEvent, ReactNode } from "react"

export interface Target {
  /** A path of the product; with `search` for its query. */
  to?: string | undefined
  search?: Record<string, unknown> | undefined
  /** What the page that `to` leads to is told besides its address. */
  state?: HistoryState | undefined
  /** An address outside the product: opens in a tab of its own. */
  href?: string | undefined
  onPress?: ((press: MouseEvent) => void) | undefined
}

interface Props
  extends Target,
    Pick<AriaAttributes, "aria-pressed" | "aria-current" | "aria-expanded" | "aria-describedby"> {
  children: ReactNode
  /** The name for readers where the children don't say it. */
  label?: string | undefined
  disabled?: boolean | undefined
  submit?: boolean | undefined
  className?: string | undefined
}

/** Whatever can be pressed: a link if it leads somewhere, else a button. Looks like nothing by itself. */
export function Pressable({
  to,
  search,
  state,
  href,
  onPress,
  children,
  label,
  disabled,
  submit,
  className = "",
  ...aria
}: Props) {
  const look = `${className} select-none`
  if (href !== undefined) {
    return (
      <a
        href={href}
        // An app's own scheme opens no page: a tab of its own would stay empty.
        target={href.startsWith("http") ? "_blank" : undefined}
        rel="noreferrer"
        onClick={onPress}
        aria-label={label}
        className={look}
        {...aria}
      >
        {children}
      </a>
    )
  }
  if (to !== undefined && !disabled) {
    return (
      <Link
        to={to}
        search={(search ?? {}) as never}
        state={state as never}
        onClick={onPress}
        aria-label={label}
        className={look}
        {...aria}
      >
        {children}
      </Link>
    )
  }
  return (
    <button
      type={submit ? "submit" : "button"}
      onClick={onPress}
      disabled={disabled}
      aria-label={label}
      className={look}
      {...aria}
    >
      {children}
    </button>
  )
}
