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

/** A small word on a tint of its own colour. */
export function Tag({ tone = "quiet", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={`inline-block rounded-full px-2.5 py-0.5 text-caption whitespace-nowrap ${TONES[tone]}`}>
      {children}
    </span>
  )
}
