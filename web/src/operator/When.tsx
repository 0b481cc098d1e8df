import { formatDay, formatTime } from "../lib/time.ts"

/** A moment in a list: day and time stay in one piece each, under each other where there is no room beside. */
export function When({ at }: { at: number }) {
  return (
    <>
      <span className="whitespace-nowrap">{formatDay(at)}</span>{" "}
      <span className="whitespace-nowrap">{formatTime(at)}</span>
    </>
  )
}
