interface Props {
  /** Size of the one block, in the geometry of what comes. */
  className?: string
  /** So many lines of text instead of one block. */
  lines?: number
}

/** A block, or lines of text, where something will be. */
export function Skeleton({ className = "h-5 w-full", lines }: Props) {
  const block = (key: number, look: string) => (
    <span key={key} aria-hidden="true" className={`block animate-breathe rounded-cell bg-s2 ${look}`} />
  )
  if (lines === undefined) return block(0, className)
  return (
    <div className="flex flex-col gap-3 py-2">
      {Array.from({ length: lines }, (_, index) =>
        block(index, index === lines - 1 && lines > 1 ? "h-4 w-2/3" : "h-4 w-full"),
      )}
    </div>
  )
}
