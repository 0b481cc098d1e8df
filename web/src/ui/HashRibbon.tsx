import { useLingui } from "@lingui/react/macro"
import { useEffect, useRef, useState } from "react"
import { bareHash, decidingDigit } from "../lib/hashes.ts"
import { isStill } from "../lib/theme.ts"

interface Props {
  /** The block's hash; while there is none, cells pass from left to right. */
  hash?: string | null | undefined
  cells?: number
  /** The room's larger cells. */
  large?: boolean
  /** Let a new hash type itself in, cell by cell. */
  typing?: boolean
}

const CELL = 60

/** The end of a block hash as a strip of cells: letters dim, digits clear, the deciding digit lit. */
export function HashRibbon({ hash, cells = 13, large, typing }: Props) {
  const { t } = useLingui()
  const shown = useTyped(hash ?? null, cells, typing ?? false)
  const size = large ? "h-[2.375rem] text-title" : "h-[1.875rem] text-body"
  const grid = `grid auto-cols-fr grid-flow-col gap-[3px] font-mono font-medium`
  if (!hash) {
    return (
      <div className={grid} role="img" aria-label={t`Waiting for the block`}>
        {Array.from({ length: cells }, (_, index) => (
          <span
            key={index}
            style={{ animationDelay: `${index * 90}ms` }}
            className={`animate-pass rounded-cell bg-s2 ${size}`}
          />
        ))}
      </div>
    )
  }
  const bare = bareHash(hash)
  const lit = decidingDigit(hash)
  const from = windowStart(bare.length, lit?.index ?? bare.length - 1, cells)
  const label = lit
    ? t`Hash ends ${bare.slice(from)}, the deciding digit is ${lit.digit}`
    : t`Hash without a digit`
  return (
    <div className={grid} role="img" aria-label={label}>
      {[...bare.slice(from, from + cells)].map((character, index) => {
        const place = from + index
        const look =
          index >= shown
            ? "text-transparent"
            : place === lit?.index
              ? ""
              : /\d/.test(character)
                ? "text-t2"
                : "text-t3"
        const hit = place === lit?.index && index < shown
        return (
          <span
            key={place}
            className={`grid place-items-center rounded-cell ${size} ${look} ${hit ? `bg-brand font-semibold text-on-brand outline-2 outline-offset-1 outline-brand-text ${typing ? "animate-lock" : ""}` : "bg-s2"}`}
          >
            {character}
          </span>
        )
      })}
    </div>
  )
}

/** The last `cells` characters; farther left only if the deciding digit would fall outside. */
export function windowStart(length: number, deciding: number, cells: number): number {
  return Math.max(0, Math.min(length - cells, deciding - 1))
}

/** How many cells are typed: all at once, unless a new hash comes while the ribbon stands. */
function useTyped(hash: string | null, cells: number, typing: boolean): number {
  const [typed, setTyped] = useState({ hash, count: cells })
  const first = useRef(true)
  useEffect(() => {
    const still = first.current || !typing || isStill()
    first.current = false
    if (still || hash === null) {
      setTyped({ hash, count: cells })
      return
    }
    setTyped({ hash, count: 0 })
    const timer = setInterval(() => {
      setTyped((now) => ({ ...now, count: Math.min(cells, now.count + 1) }))
    }, CELL)
    // A busy phone drops ticks of the interval: the last cells stand by then all the same.
    const end = setTimeout(
      () => {
        clearInterval(timer)
        setTyped({ hash, count: cells })
      },
      CELL * (cells + 1),
    )
    return () => {
      clearInterval(timer)
      clearTimeout(end)
    }
  }, [hash, cells, typing])
  return typed.hash === hash ? typed.count : typing ? 0 : cells
}
