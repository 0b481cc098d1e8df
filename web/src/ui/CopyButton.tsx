import { copyText } from "../lib/copying.ts"
import { IconButton } from "./IconButton.tsx"

/** Copies exactly this text. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  return (
    <IconButton icon="copy" size={5} label={label} className="text-t3" onPress={() => void copyText(text)} />
  )
}
