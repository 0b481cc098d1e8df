import { useLingui } from "@lingui/react/macro"
import { type KeyboardEvent, useId, useRef, useState } from "react"
import { Button } from "./Button.tsx"
import { Icon } from "./Icon.tsx"
import { IconButton } from "./IconButton.tsx"
import { Skeleton } from "./Skeleton.tsx"
import { isWrong, type SlideState, useSlideState } from "./slideState.ts"
import { SLIDE, type Track, useTrack } from "./slideTrack.ts"

interface Props {
  /** None while it loads. `y` is the piece's upper edge, in points of a picture of 320 x 160. */
  picture: { background: string; piece: string; y: number } | undefined
  state: SlideState
  onLeave: (x: number, track: Track) => void
  onRefresh: () => void
}

const STEP = 4
const SMALL_STEPS: Record<string, number> = {
  ArrowRight: STEP,
  ArrowUp: STEP,
  ArrowLeft: -STEP,
  ArrowDown: -STEP,
}
/** A press moves the handle once; a hand that drags it moves it more often. */
const DRAGGED = 3

/** A piece to bring to its hole: dragged, or with keys or the two buttons and then checked. */
export function SlideCaptcha({ picture, state, onLeave, onRefresh }: Props) {
  const { t } = useLingui()
  const id = useId()
  const [x, setX] = useState(0)
  const track = useTrack()
  const moves = useRef(0)
  const still = picture === undefined || state === "checking" || state === "done"
  const move = (to: number) => {
    if (still) return
    const place = Math.min(SLIDE.most, Math.max(0, to))
    moves.current++
    track.move(place)
    setX(place)
  }
  const leave = () => {
    if (!still && x > 0) onLeave(x, track.end(x))
  }
  const press = (event: KeyboardEvent) => {
    const by = SMALL_STEPS[event.key]
    if (event.key === "Enter") leave()
    else if (by !== undefined) move(x + by)
    else return
    event.preventDefault()
  }
  const said = useSlideState(state)
  const wrong = isWrong(state)
  return (
    <div>
      <p id={id} className="mb-3 text-small text-t2">
        {t`Bring the piece to the hole of its shape: drag the handle, or use the arrow keys or the buttons and then check.`}
      </p>
      {picture === undefined ? (
        <Skeleton className="aspect-[2/1] w-full rounded-card" />
      ) : (
        <div className={`relative overflow-hidden rounded-card ${wrong ? "ring-2 ring-danger" : ""}`}>
          <img
            src={picture.background}
            alt={t`A landscape with holes of three shapes`}
            className="aspect-[2/1] w-full"
          />
          <img
            src={picture.piece}
            alt=""
            className="pointer-events-none absolute aspect-square w-[17.5%]"
            style={{ left: `${(x / SLIDE.width) * 100}%`, top: `${(picture.y / SLIDE.height) * 100}%` }}
          />
        </div>
      )}
      <div className="relative mt-3 h-13 rounded-control bg-s2">
        <span
          aria-hidden="true"
          className={`absolute inset-0 grid place-items-center pl-14 text-center text-small ${state === "done" ? "text-up" : "text-t3"}`}
        >
          {state === "done" || state === "checking" ? said : x === 0 ? t`Slide to verify` : ""}
        </span>
        <input
          type="range"
          min={0}
          max={SLIDE.most}
          value={x}
          disabled={still}
          aria-label={t`Place of the piece`}
          aria-describedby={id}
          onChange={(event) => move(event.target.valueAsNumber)}
          onKeyDown={press}
          onPointerDown={() => {
            moves.current = 0
          }}
          onPointerUp={() => moves.current >= DRAGGED && leave()}
          className="peer absolute inset-0 size-full cursor-grab touch-pan-y appearance-none opacity-0 active:cursor-grabbing disabled:cursor-default [&::-moz-range-thumb]:h-13 [&::-moz-range-thumb]:w-14 [&::-moz-range-thumb]:border-0 [&::-webkit-slider-thumb]:h-13 [&::-webkit-slider-thumb]:w-14 [&::-webkit-slider-thumb]:appearance-none"
        />
        <span
          aria-hidden="true"
          className={`pointer-events-none absolute inset-y-0 grid w-14 place-items-center rounded-control peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-brand-text ${state === "done" ? "bg-up text-on-up" : "bg-brand text-on-brand"}`}
          style={{ left: `calc(${x / SLIDE.most} * (100% - 3.5rem))` }}
        >
          <Icon name={state === "done" ? "check" : "next"} size={5} />
        </span>
      </div>
      <p role="status" className={`mt-2 min-h-4.5 text-small ${wrong ? "text-danger" : "text-t3"}`}>
        {said}
      </p>
      <div className="mt-1 flex items-center gap-2">
        <IconButton
          icon="minus"
          size={5}
          label={t`A little to the left`}
          disabled={still}
          onPress={() => move(x - STEP)}
        />
        <IconButton
          icon="plus"
          size={5}
          label={t`A little to the right`}
          disabled={still}
          onPress={() => move(x + STEP)}
        />
        <div className="flex-1">
          <Button kind="quiet" small busy={state === "checking"} disabled={still || x === 0} onPress={leave}>
            {t`Check`}
          </Button>
        </div>
        <IconButton
          icon="refresh"
          size={5}
          label={t`Another picture`}
          disabled={state === "checking" || state === "done"}
          onPress={onRefresh}
        />
      </div>
    </div>
  )
}
