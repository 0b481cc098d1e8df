import type { ReactNode } from "react"

const TONES = {
  quiet: "bg-s2 text-t2",
  up: "bg-[color-mix(in_srgb,var(--up)_14%,var(--s1))] text-up",
  down: "bg-[color-mix(in_srgb,var(--danger)_14%,var(--s1))] text-danger",
  warn: "bg-[color-mix(in_srgb,var(--warn)_14%,var(--s1))] text-warn",
  info: "bg-[color-mix(in_srgb,var(--info)_14%,var(--s1))] text-info",
  gold: "bg-[color-mix(in_srgb,var(--gold)_14%,var(--s1))] text-gold",
} as const

export type Tone = keyof typeof TONES

interface Props {
  tone?: Tone
  /** It may take two lines where the page is narrow or the text large. */
  long?: boolean
  children: ReactNode
}

/** A small word on a tint of its own colour. */
export function Tag({ tone = "quiet", long, children }: Props) {
  return (
    <span
      className={`inline-block px-2.5 py-0.5 text-caption ${long ? "rounded-card" : "rounded-full whitespace-nowrap"} ${TONES[tone]}`}
    >
      {children}
    </span>
  )
}
