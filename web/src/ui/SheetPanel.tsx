import { Dialog } from "@base-ui/react/dialog"
import { useLingui } from "@lingui/react/macro"
import { IconButton } from "./IconButton.tsx"
import type { SheetProps } from "./Sheet.tsx"

/** The panel itself: from the foot of the page; focus goes into it and back. */
export default function SheetPanel({ sheet, title, children, footer }: SheetProps) {
  const { t } = useLingui()
  return (
    <Dialog.Root open={sheet.shown} onOpenChange={(open) => !open && sheet.hide()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-veil transition-opacity duration-200 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup className="fixed inset-x-0 bottom-0 z-50 mx-auto flex max-h-[88dvh] w-full max-w-column flex-col rounded-t-sheet bg-s1 shadow-sheet outline-none transition-transform duration-[320ms] ease-calm data-ending-style:translate-y-full data-starting-style:translate-y-full">
          <div className="flex items-center justify-between gap-3 pt-3 pr-2 pl-5">
            <Dialog.Title className="text-h2">{title}</Dialog.Title>
            <IconButton icon="close" size={5} label={t`Close`} onPress={sheet.hide} />
          </div>
          <div className="min-h-0 overflow-y-auto overscroll-contain px-5 pt-2 pb-[calc(1.25rem+env(safe-area-inset-bottom))]">
            {children}
          </div>
          {footer !== undefined && (
            <div className="px-5 pb-[calc(1.25rem+env(safe-area-inset-bottom))]">{footer}</div>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
