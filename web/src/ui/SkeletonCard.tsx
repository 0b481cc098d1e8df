interface Props {
  /** Its height, in the geometry of what comes. */
  className: string
}

/** A card before its content is there. */
export function SkeletonCard({ className }: Props) {
  return <div aria-hidden="true" className={`mt-4 w-full animate-breathe rounded-card bg-s1 ${className}`} />
}
