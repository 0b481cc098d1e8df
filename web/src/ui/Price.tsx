import { useLingui } from "@lingui/react/macro"
import { useState } from "react"
import { formatAmount, tinyParts } from "../lib/money.ts"
import { Pressable } from "./Pressable.tsx"

interface Props {
  /** A decimal string; nothing known is a dash. */
  value: string | null | undefined
  asset?: string
  most?: number
  /** In something that is pressed itself: not to be pressed. */
  still?: boolean
}

/** A price: one with four or more zeros behind the point counts them small, and a tap writes it out. */
export function Price({ value, asset, most = 8, still = false }: Props) {
  const { t } = useLingui()
  const [whole, setWhole] = useState(false)
  const unit = asset === undefined ? null : <span> {asset}</span>
  if (value === null || value === undefined) return <span className="text-t3">—</span>
  const tiny = tinyParts(value)
  if (tiny === null) {
    return (
      <span className="whitespace-nowrap">
        {formatAmount(value, { most })}
        {unit}
      </span>
    )
  }
  const full = formatAmount(value, { least: 0, most: 20 })
  const written = asset === undefined ? full : `${full} ${asset}`
  const short = (
    <>
      {tiny.head}
      <sub className="text-[0.75em]">{tiny.zeros}</sub>
      {tiny.digits}
    </>
  )
  if (still) {
    return (
      <span className="whitespace-nowrap">
        <span className="sr-only">{written}</span>
        <span aria-hidden="true">
          {short}
          {unit}
        </span>
      </span>
    )
  }
  return (
    <Pressable
      aria-pressed={whole}
      onPress={() => setWhole(!whole)}
      className="-my-3 inline-flex min-h-11 min-w-11 items-center justify-end text-right break-all"
    >
      <span className="sr-only">{t`${written}, press for all digits`}</span>
      <span aria-hidden="true">
        {whole ? full : short}
        {unit}
      </span>
    </Pressable>
  )
}
