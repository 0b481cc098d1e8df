import { Dialog } from "@base-ui/react/dialog"
import { useLingui } from "@lingui/react/macro"
import { type PointerEvent, useEffect, useRef } from "react"
import { IconButton } from "./IconButton.tsx"
import { followKeyboard, keepInView } from "./inView.ts"
import type { SheetProps } from "./Sheet.tsx"

/** The panel itself, from the foot of the page: the focus goes to its title and back; Close does what a drag does. */
export default function SheetPanel({ sheet, title, children, footer }: SheetProps) {
  const { t } = useLingui()
  const heading = useRef<HTMLHeadingElement>(null)
  const drag = useDrag(sheet.hide)
  useEffect(() => (sheet.shown ? followKeyboard() : undefined), [sheet.shown])
  return (
    <Dialog.Root open={sheet.shown} onOpenChange={(open) => !open && sheet.hide()}>
      <Dialog.Portal>
        <Dialog.Backdrop
          forceRender
          className="fixed inset-0 z-50 bg-veil transition-opacity duration-200 data-ending-style:opacity-0 data-starting-style:opacity-0"
        />
        <Dialog.Popup
          ref={drag.panel}
          initialFocus={heading}
          className="fixed inset-x-0 bottom-(--keyboard,0px) z-50 mx-auto flex max-h-[calc(88dvh-var(--keyboard,0px))] w-full max-w-column flex-col rounded-t-sheet bg-s1 shadow-sheet outline-none transition-transform duration-[320ms] ease-calm data-ending-style:translate-y-full data-starting-style:translate-y-full"
        >
          <div className="touch-none" {...drag.handle}>
            <span aria-hidden="true" className="mx-auto mt-2 block h-1 w-9 rounded-full bg-s3" />
            <div className="flex items-center justify-between gap-3 pt-1 pr-2 pl-5">
              <Dialog.Title ref={heading} tabIndex={-1} className="text-h2 outline-none">
                {title}
              </Dialog.Title>
              <IconButton icon="close" size={5} label={t`Close`} onPress={sheet.hide} />
            </div>
          </div>
          <div
            ref={keepInView}
            data-sheet-body=""
            className={`min-h-0 overflow-y-auto overscroll-contain scroll-pb-5 px-5 pt-2 ${footer === undefined ? "pb-[calc(1.25rem+env(safe-area-inset-bottom))]" : "pb-4"}`}
          >
            <div>{children}</div>
          </div>
          {footer !== undefined && (
            // What scrolls under it fades, so that nothing seems to end there or to belong to the button.
            <div className="relative px-5 pt-2 pb-[calc(1.25rem+env(safe-area-inset-bottom))] before:absolute before:inset-x-0 before:bottom-full before:h-4 before:bg-linear-to-t before:from-s1 before:to-transparent before:pointer-events-none">
              {footer}
            </div>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const FAR = 96
const FAST = 0.5

/** Drag the panel down by its head; far or fast enough it closes, else it goes back. */
function useDrag(onClose: () => void) {
  const panel = useRef<HTMLDivElement>(null)
  const start = useRef<{ y: number; at: number } | null>(null)
  const move = (by: number | null) => {
    if (!panel.current) return
    panel.current.style.transition = by === null ? "" : "none"
    panel.current.style.translate = by === null ? "" : `0 ${Math.max(0, by)}px`
  }
  const end = (event: PointerEvent) => {
    if (!start.current) return
    const by = event.clientY - start.current.y
    const fast = by / Math.max(1, event.timeStamp - start.current.at) > FAST
    start.current = null
    move(null)
    if (event.type === "pointerup" && by > 0 && (by > FAR || (fast && by > FAR / 4))) onClose()
  }
  return {
    panel,
    handle: {
      onPointerDown: (event: PointerEvent) => {
        if ((event.target as Element).closest("button")) return
        start.current = { y: event.clientY, at: event.timeStamp }
        event.currentTarget.setPointerCapture(event.pointerId)
      },
      onPointerMove: (event: PointerEvent) => {
        if (start.current) move(event.clientY - start.current.y)
      },
      onPointerUp: end,
      onPointerCancel: end,
    },
  }
}
