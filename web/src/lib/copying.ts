import { t } from "@lingui/core/macro"
import { notify, warn } from "./notices.ts"

/** Copy exactly this text and say so. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    notify(t`copy success`)
  } catch {
    warn(t`Copying isn't allowed here. Select the text and copy it by hand.`)
  }
}
