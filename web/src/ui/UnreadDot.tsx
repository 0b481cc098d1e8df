/** A dot that says: something here was not read yet. */
export function UnreadDot({ label, className = "" }: { label: string; className?: string }) {
  return (
    <span className={`size-2 shrink-0 rounded-full bg-brand-text ${className}`}>
      <span className="sr-only">{label}</span>
    </span>
  )
}
