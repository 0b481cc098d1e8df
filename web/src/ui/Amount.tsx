import { useLingui } from "@lingui/react/macro"
import { copyExactly, copyText } from "../lib/copying.ts"
import { dropZeros, isNegative, isZero } from "../lib/money.ts"
import { amountParts } from "../lib/notation.ts"
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

const TONES = { up: "text-up", down: "text-down", gold: "text-gold", plain: "" } as const

/** An amount of money: grouped for the language, never shortened, cut (not rounded) at `most` decimals. */
export function Amount(props: Props) {
  const { value, asset, hero, display, least, most, sign, tone = "plain", copy } = props
  const { t } = useLingui()
  const [hidden] = useSetting("hide")
  const unit = asset === undefined ? null : <span className={hero || display ? "text-t3" : ""}> {asset}</span>
  const size = hero ? "text-hero" : display ? "text-display" : ""
  const look = `${size} ${toneOf(tone, value)} whitespace-nowrap`
  if (value === null || value === undefined) return <span className={`${look} text-t3`}>—</span>
  if (props.private && hidden) {
    return (
      <span className={look}>
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
  const dim = hero ? "text-hero-decimals font-medium text-t3" : display ? "text-t3" : ""
  const figure = (
    <>
      {parts.sign}
      {parts.whole}
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
