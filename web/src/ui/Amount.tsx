import { useLingui } from "@lingui/react/macro"
import { Fragment } from "react"
import { copyExactly, copyText } from "../lib/copying.ts"
import { dropZeros, isNegative, isZero } from "../lib/money.ts"
import { amountParts, HERO_MOST } from "../lib/notation.ts"
import { useSetting } from "../lib/useSetting.ts"
import { Dots } from "./Dots.tsx"
import { Pressable } from "./Pressable.tsx"

interface Props {
  /** A decimal string; nothing known is a dash, never a zero. */
  value: string | null | undefined
  asset?: string | undefined
  /** The screen's one large figure, with its decimals dimmed. */
  hero?: boolean
  /** A stake or a price: large, decimals dimmed. */
  display?: boolean
  /** A figure of the member's own: hidden with the eye. */
  private?: boolean
  /** A plus sign above zero. */
  sign?: boolean
  /** `sign` colours a rise and a fall. */
  tone?: "up" | "down" | "gold" | "plain" | "sign"
  least?: number
  most?: number
  /** A tap copies the machine form ("1234.5"). */
  copy?: boolean
}

interface Size {
  /** The most characters that fit in 320 px. */
  most: number
  look: string
  decimals: string
}
/** A longer figure is smaller, and the longest goes on in another line. */
const HERO: readonly Size[] = [
  { most: HERO_MOST, look: "text-hero", decimals: "text-hero-decimals font-medium text-t3" },
  { most: 18, look: "text-display", decimals: "text-h2 font-medium text-t3" },
  { most: Infinity, look: "text-h1", decimals: "text-title font-medium text-t3" },
]
const DISPLAY: readonly Size[] = [
  { most: 15, look: "text-display", decimals: "text-t3" },
  { most: 20, look: "text-h1", decimals: "text-t3" },
  { most: Infinity, look: "text-h2", decimals: "text-t3" },
]
const TEXT: readonly Size[] = [{ most: Infinity, look: "", decimals: "" }]
/** What is longer may break between its groups. */
const UNBROKEN = 18

const TONES = { up: "text-up", down: "text-down", gold: "text-gold", plain: "" } as const

/** An amount of money: grouped for the language, never shortened, cut (not rounded) at `most` decimals. */
export function Amount(props: Props) {
  const { value, asset, hero, display, least, most, sign, tone = "plain", copy } = props
  const { t } = useLingui()
  const [hidden] = useSetting("hide")
  const sizes = hero ? HERO : display ? DISPLAY : TEXT
  const unit = asset === undefined ? null : <span className={hero || display ? "text-t3" : ""}> {asset}</span>
  const lookOf = (length: number) => {
    const size = sizes.find(({ most }) => length <= most)
    const wraps = length > UNBROKEN
    const wrap = wraps ? "" : "whitespace-nowrap"
    return { look: `${size?.look} ${toneOf(tone, value)} ${wrap}`, dim: size?.decimals, wraps }
  }
  if (value === null || value === undefined) return <span className={`${lookOf(1).look} text-t3`}>—</span>
  if (props.private && hidden) {
    return (
      <span className={lookOf(1).look}>
        <span className="sr-only">{t`hidden`}</span>
        <Dots />
        {unit}
      </span>
    )
  }
  const parts = amountParts(value, {
    ...(least === undefined ? {} : { least }),
    ...(most === undefined ? {} : { most }),
    sign: sign ?? false,
  })
  const written = parts.sign + parts.whole + parts.decimals
  const { look, dim, wraps } = lookOf(written.length + (asset === undefined ? 0 : asset.length + 1))
  const figure = (
    <>
      {parts.sign}
      {wraps ? <Whole digits={parts.whole} /> : parts.whole}
      <span className={dim}>{parts.decimals}</span>
      {unit}
    </>
  )
  if (!copy) {
    return (
      <span className={look} onCopy={(event) => copyExactly(event, dropZeros(value))}>
        {figure}
      </span>
    )
  }
  return (
    <Pressable
      className={`${look} -my-3 inline-flex min-h-11 items-center text-left`}
      onPress={() => void copyText(dropZeros(value))}
    >
      <span>{figure}</span>
      <span className="sr-only">{t`, press to copy`}</span>
    </Pressable>
  )
}

function toneOf(tone: NonNullable<Props["tone"]>, value: string | null | undefined): string {
  if (tone !== "sign") return TONES[tone]
  if (value === null || value === undefined || isZero(value)) return ""
  return isNegative(value) ? TONES.down : TONES.up
}

/** The whole digits, with a place to break a line after each group but the last. */
function Whole({ digits }: { digits: string }) {
  return (digits.match(/\d+\D?/g) ?? []).map((group, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {group}
    </Fragment>
  ))
}
