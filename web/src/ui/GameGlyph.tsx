const CELLS = [0, 1, 0, 1, 2, 1, 0, 1, 0]
const FILLS = ["bg-s3", "ring-[1.5px] ring-brand-text ring-inset", "bg-brand"] as const

/** Odd and even as one sign: ribbon cells that alternate around the one that decides. */
export function GameGlyph() {
  return (
    <span aria-hidden="true" className="grid size-16 shrink-0 grid-cols-3 gap-[3px]">
      {CELLS.map((fill, index) => (
        <span key={index} className={`rounded-cell ${FILLS[fill]}`} />
      ))}
    </span>
  )
}
