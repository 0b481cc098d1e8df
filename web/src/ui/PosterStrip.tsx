import { useEffect, useRef, useState } from "react"
import { DESIGNS, type Design, drawPoster, HEIGHT, type PosterWords, WIDTH } from "./poster.ts"

export interface DrawnPoster {
  file: File
  url: string
}

/** By design; null for one that this device can't draw, nothing before it is drawn. */
export type Posters = Partial<Record<Design, DrawnPoster | null>>

/** The posters, drawn before anybody taps: a device shares only files that are there. */
export function usePosters(words: PosterWords): Posters {
  const [drawn, setDrawn] = useState<Posters>({})
  const key = JSON.stringify(words)
  useEffect(() => {
    let gone = false
    const urls: string[] = []
    const draw = async (design: Design) => {
      const canvas = await drawPoster(design, JSON.parse(key))
      const picture = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"))
      if (gone) return
      if (!picture) throw new Error("no picture came of it")
      const url = URL.createObjectURL(picture)
      urls.push(url)
      const file = new File([picture], `kalos-${design}.png`, { type: "image/png" })
      setDrawn((before) => ({ ...before, [design]: { file, url } }))
    }
    for (const design of DESIGNS)
      void draw(design).catch(() => {
        if (!gone) setDrawn((before) => ({ ...before, [design]: null }))
      })
    return () => {
      gone = true
      setDrawn({})
      for (const url of urls) URL.revokeObjectURL(url)
    }
  }, [key])
  return drawn
}

interface Props {
  /** What the strip is, for readers. */
  label: string
  posters: Posters
  /** What a poster says, for readers. */
  says: string
  value: Design
  onChange: (design: Design) => void
}

/** The posters side by side: swipe, or choose outside; the one in the middle is chosen. */
export function PosterStrip({ label, posters, says, value, onChange }: Props) {
  const strip = useRef<HTMLUListElement>(null)
  const swiped = useRef(value)
  useEffect(() => {
    if (swiped.current === value) return
    swiped.current = value
    const chosen = strip.current?.children[DESIGNS.indexOf(value)]
    chosen?.scrollIntoView({ inline: "center", block: "nearest" })
  }, [value])
  const settle = () => {
    const row = strip.current
    if (!row) return
    const middle = row.scrollLeft + row.clientWidth / 2
    const edges = [...row.children].map((child) => {
      const item = child as HTMLElement
      return Math.abs(item.offsetLeft - row.offsetLeft + item.offsetWidth / 2 - middle)
    })
    const nearest = DESIGNS[edges.indexOf(Math.min(...edges))]
    if (nearest === undefined || nearest === swiped.current) return
    swiped.current = nearest
    onChange(nearest)
  }
  return (
    <ul
      ref={strip}
      aria-label={label}
      // A strip that scrolls can be moved with the arrow keys.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
      tabIndex={0}
      onScroll={settle}
      className="-mx-5 mt-2 flex snap-x snap-mandatory gap-3 overflow-x-auto px-[14%] outline-offset-[-2px] [scrollbar-width:none] max-narrow:-mx-4"
    >
      {DESIGNS.map((design) => {
        const poster = posters[design]
        return (
          <li key={design} className="w-full shrink-0 snap-center">
            {poster ? (
              <img
                src={poster.url}
                width={WIDTH}
                height={HEIGHT}
                alt={says}
                data-design={design}
                className="h-auto w-full rounded-card ring-1 ring-line"
              />
            ) : (
              <div
                aria-busy={poster === undefined}
                className={`aspect-[3/4] w-full rounded-card bg-s2 ${poster === undefined ? "animate-breathe" : ""}`}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}
