import { Dialog } from "@base-ui/react/dialog"
import { useLingui } from "@lingui/react/macro"
import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from "react"
import { formatPercent } from "../lib/money.ts"
import { IconButton } from "./IconButton.tsx"
import type { PictureProps } from "./Picture.tsx"
import type { useSheet } from "./Sheet.tsx"

const MOST = 4
const STEP = 0.5

/** One picture on the whole screen: larger and smaller by buttons, + and − and two fingers; moved as a page is. */
export default function PictureViewer({
  src,
  alt,
  width,
  height,
  sheet,
}: PictureProps & { sheet: ReturnType<typeof useSheet> }) {
  const { t } = useLingui()
  const { zoom, setZoom, area, fingers } = useZoom()
  const heading = useRef<HTMLHeadingElement>(null)
  const press = ({ key }: KeyboardEvent) => {
    if (key === "+" || key === "=") setZoom(zoom + STEP)
    else if (key === "-") setZoom(zoom - STEP)
    else if (key === "0") setZoom(1)
  }
  return (
    <Dialog.Root open={sheet.shown} onOpenChange={(open) => !open && sheet.hide()}>
      <Dialog.Portal>
        <Dialog.Popup
          initialFocus={heading}
          onKeyDown={press}
          className="fixed inset-0 z-50 flex animate-enter flex-col bg-bg pt-[env(safe-area-inset-top)] outline-none"
        >
          <div className="flex items-center justify-between gap-3 py-1 pr-2 pl-5">
            <Dialog.Title ref={heading} tabIndex={-1} className="text-title outline-none">
              {t`Picture`}
            </Dialog.Title>
            <IconButton icon="close" size={5} label={t`Close`} onPress={sheet.hide} />
          </div>
          {/* biome-ignore lint/a11y/useSemanticElements: no form, but a region that scrolls */}
          <div
            ref={area}
            role="group"
            aria-label={t`Picture, ${formatPercent(String(zoom), 0)}`}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
            tabIndex={0}
            {...fingers}
            className="grid min-h-0 flex-1 touch-pan-x touch-pan-y overflow-auto overscroll-contain [container-type:size]"
          >
            <img
              src={src}
              alt={alt}
              width={width}
              height={height}
              draggable={false}
              // At first as large as the screen takes it whole.
              style={{ inlineSize: `calc(${zoom} * min(100cqw, 100cqh * ${width / height}))` }}
              className="m-auto h-auto max-w-none"
            />
          </div>
          <div className="flex items-center gap-3 px-5 pt-2 pb-[calc(0.75rem+env(safe-area-inset-bottom))]">
            <p className="line-clamp-3 min-w-0 flex-1 text-small text-t2">{alt}</p>
            <IconButton
              icon="minus"
              label={t`Smaller`}
              disabled={zoom === 1}
              onPress={() => setZoom(zoom - STEP)}
            />
            <output aria-live="polite" className="min-w-12 text-center text-small text-t2">
              {formatPercent(String(zoom), 0)}
            </output>
            <IconButton
              icon="plus"
              label={t`Larger`}
              disabled={zoom === MOST}
              onPress={() => setZoom(zoom + STEP)}
            />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** How large, and two fingers that change it; what was in the middle stays there. */
function useZoom() {
  const [zoom, setState] = useState(1)
  const area = useRef<HTMLDivElement>(null)
  const middle = useRef({ x: 0.5, y: 0.5 })
  const touching = useRef(new Map<number, { x: number; y: number }>())
  const before = useRef<{ apart: number; zoom: number } | null>(null)
  const setZoom = (next: number) => {
    const box = area.current
    if (box) {
      middle.current = {
        x: (box.scrollLeft + box.clientWidth / 2) / box.scrollWidth,
        y: (box.scrollTop + box.clientHeight / 2) / box.scrollHeight,
      }
    }
    setState(Math.min(MOST, Math.max(1, next)))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the new size is the reason
  useLayoutEffect(() => {
    const box = area.current
    if (!box) return
    box.scrollLeft = middle.current.x * box.scrollWidth - box.clientWidth / 2
    box.scrollTop = middle.current.y * box.scrollHeight - box.clientHeight / 2
  }, [zoom])
  const apart = () => {
    const [one, other] = [...touching.current.values()]
    return one && other ? Math.hypot(one.x - other.x, one.y - other.y) : 0
  }
  const put = (event: PointerEvent) => {
    if (event.pointerType !== "touch") return
    touching.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
  }
  const lift = (event: PointerEvent) => {
    touching.current.delete(event.pointerId)
    before.current = null
  }
  return {
    zoom,
    setZoom,
    area,
    fingers: {
      onPointerDown: (event: PointerEvent) => {
        put(event)
        if (touching.current.size === 2) before.current = { apart: apart(), zoom }
      },
      onPointerMove: (event: PointerEvent) => {
        if (!touching.current.has(event.pointerId)) return
        put(event)
        if (before.current) setZoom((before.current.zoom * apart()) / Math.max(1, before.current.apart))
      },
      onPointerUp: lift,
      onPointerCancel: lift,
    },
  }
}
