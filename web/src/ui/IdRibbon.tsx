const CELLS = 13

/** The end of a receipt's number as the strip of cells that all results have; the whole stands beside it. */
export function IdRibbon({ id }: { id: string }) {
  return (
    <div
      aria-hidden="true"
      className="grid auto-cols-fr grid-flow-col gap-[3px] font-mono text-body font-medium"
    >
      {[...id.slice(-CELLS).padStart(CELLS)].map((character, index) => (
        <span
          key={index}
          className={`grid h-[1.875rem] place-items-center rounded-cell bg-s2 ${/\d/.test(character) ? "text-t1" : "text-t3"}`}
        >
          {character}
        </span>
      ))}
    </div>
  )
}
