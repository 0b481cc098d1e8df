import { Dialog } from "@base-ui/react/dialog"
import { type ReactNode, useRef } from "react"
import { IconButton } from "../ui/IconButton.tsx"

interface Props {
  /** Null: closed. */
  title: string | null
  onClose: () => void
  children: ReactNode
}

/** One thing of a list at the side of the page, over all of it where there is no room. Escape closes it. */
export function Drawer({ title, onClose, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Dialog.Root open={title !== null} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-veil" />
        <Dialog.Popup
          initialFocus={heading}
          className="fixed inset-y-0 right-0 z-50 flex w-full max-w-[36rem] flex-col bg-s1 shadow-sheet outline-none"
        >
          <div className="flex items-center justify-between gap-3 border-b border-line py-2 pr-2 pl-5">
            <Dialog.Title ref={heading} tabIndex={-1} className="text-h2 outline-none">
              {title}
            </Dialog.Title>
            <IconButton icon="close" size={5} label="Close" onPress={onClose} />
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 pb-8">{children}</div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
