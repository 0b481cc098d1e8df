import type { ReactNode } from "react"
import { mixed } from "./seeded.ts"

/** A card in the hand: who the member is, over cells drawn from the account's digits. */
export function Plate({ seed, children }: { seed: string; children: ReactNode }) {
  return (
    <section className="relative mt-2 overflow-hidden rounded-card bg-s1 p-5">
      <Cells seed={seed} />
      <div className="relative">{children}</div>
    </section>
  )
}

const COLUMNS = 8
const ROWS = 8
// Of 16 values two are lit and six are empty: a few lights on a quiet ground.
const VALUES = 16
const LIT = 14
const EMPTY = 6

/** Cells in the upper right corner, the same for the same account. */
function Cells({ seed }: { seed: string }) {
  return (
    <svg
      viewBox={`0 0 ${COLUMNS * 10} ${ROWS * 10}`}
      aria-hidden="true"
      className="absolute -top-1 -right-1 size-44 [mask-image:linear-gradient(to_bottom_left,black_15%,transparent_55%)]"
    >
      {Array.from({ length: COLUMNS * ROWS }, (_, index) => {
        const column = index % COLUMNS
        const row = Math.floor(index / COLUMNS)
        const value = mixed(`${seed} ${column} ${row}`) % VALUES
        if (value < EMPTY) return null
        const look = value >= LIT ? "fill-brand" : value % 2 === 0 ? "fill-s3" : "fill-s2"
        const place = { x: column * 10 + 0.75, y: row * 10 + 0.75 }
        return <rect key={`${column} ${row}`} {...place} width={8.5} height={8.5} rx={2} className={look} />
      })}
    </svg>
  )
}
