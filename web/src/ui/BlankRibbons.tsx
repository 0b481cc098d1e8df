/** Lines of a list of ribbons that are still to be written. */
export function BlankRibbons({ lines, cells }: { lines: number; cells: number }) {
  return Array.from({ length: lines }, (_, line) => (
    <li key={line} aria-hidden="true" className="grid auto-cols-fr grid-flow-col gap-[3px] pt-[1.375rem]">
      {Array.from({ length: cells }, (_, cell) => (
        <span key={cell} className="h-[1.875rem] rounded-cell bg-s1" />
      ))}
    </li>
  ))
}
