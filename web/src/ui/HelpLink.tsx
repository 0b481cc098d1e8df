import { useLingui } from "@lingui/react/macro"
import { useLocation } from "@tanstack/react-router"
import { topicOf } from "../lib/help.ts"
import { IconButton } from "./IconButton.tsx"

/** The way to help: on every screen behind the guard, always last in its head (WCAG 3.2.6). */
export function HelpLink() {
  const { t } = useLingui()
  const { pathname } = useLocation()
  if (pathname === "/help") return null
  const topic = topicOf(pathname)
  return <IconButton icon="help" size={5} label={t`Help`} to="/help" search={topic ? { topic } : {}} />
}
