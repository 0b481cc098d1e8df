import { t } from "@lingui/core/macro"
import type { ClipboardEvent } from "react"
import { notify, warn } from "./notices.ts"

/** What a selection inside one figure copies: its machine form, not the groups it is shown in. */
export function copyExactly(event: ClipboardEvent, text: string): void {
  const selection = getSelection()
  const part = selection?.rangeCount ? selection.getRangeAt(0).commonAncestorContainer : null
  if (!part || !event.currentTarget.contains(part) || selection?.isCollapsed) return
  event.preventDefault()
  event.clipboardData.setData("text/plain", text)
}

/** Copy exactly this text and say so. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    notify(t`copy success`)
  } catch {
    warn(t`Copying isn't allowed here. Select the text and copy it by hand.`)
  }
}

/** What was copied last, without blanks around it; null where the browser doesn't let the page see it. */
export async function pasteText(): Promise<string | null> {
  try {
    return (await navigator.clipboard.readText()).trim()
  } catch {
    return null
  }
}
