import { ICONS, type IconName } from "./icons.ts"

interface Props {
  name: IconName
  /** Edge in multiples of 4 px; 6 is the 24 px grid. */
  size?: 4 | 5 | 6 | 8
  className?: string
}

const SIZES = { 4: "size-4", 5: "size-5", 6: "size-6", 8: "size-8" } as const

/** A glyph of our own set; always beside a text or inside a labelled control, so hidden from readers. */
export function Icon({ name, size = 6, className = "" }: Props) {
  return (
    <svg
      viewBox="0 0 24 24"
      className={`${SIZES[size]} shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={ICONS[name]} />
    </svg>
  )
}
