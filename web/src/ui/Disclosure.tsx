import type { ReactNode } from "react"
import { Icon } from "./Icon.tsx"

interface Props {
  title: ReactNode
  children: ReactNode
  onOpen?: () => void
}

/** A row that opens to show more: the browser's own, so that "find in page" finds what is inside. */
export function Disclosure({ title, children, onOpen }: Props) {
  return (
    <details
      onToggle={(event) => event.currentTarget.open && onOpen?.()}
      className="group/more border-b border-line last:border-0"
    >
      <summary className="flex min-h-14 cursor-pointer list-none items-center gap-3 rounded-cell py-2.5 [&::-webkit-details-marker]:hidden">
        <span className="min-w-0 flex-1 break-words">{title}</span>
        <Icon
          name="expand"
          size={5}
          className="text-t3 transition-transform duration-200 ease-calm group-open/more:rotate-180"
        />
      </summary>
      <div className="pb-4">{children}</div>
    </details>
  )
}
