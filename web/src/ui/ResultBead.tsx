/** A result digit by its shape: hollow for odd, filled for even, a dash while there is none. */
export function ResultBead({ digit }: { digit: number | null }) {
  const look =
    digit === null
      ? "bg-s2 text-t3"
      : digit % 2 === 1
        ? "text-brand-text ring-2 ring-brand-text ring-inset"
        : "bg-s3 text-t1"
  return (
    <span className={`grid size-9 shrink-0 place-items-center rounded-full font-mono font-semibold ${look}`}>
      {digit ?? "–"}
    </span>
  )
}
