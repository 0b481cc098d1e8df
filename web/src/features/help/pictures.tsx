import type { ReactNode } from "react"
import { ICONS, type IconName } from "../../ui/icons.ts"

// Drawn here, in the theme's own colours; each stands beside the words that say the same.

const LINE = 1.75

function Picture({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 72 72"
      aria-hidden="true"
      fill="none"
      strokeWidth={LINE}
      strokeLinecap="round"
      strokeLinejoin="round"
      className="size-18 shrink-0 rounded-control bg-s2 stroke-t3"
    >
      {children}
    </svg>
  )
}

const LIT = "fill-brand stroke-brand"
const ON_LIT = "stroke-on-brand"

/** Grey blocks of one size, by their upper left corners. */
function Blocks({
  at,
  size,
  round,
}: {
  at: [x: number, y: number][]
  size: [number, number]
  round: number
}) {
  const [width, height] = size
  return at.map(([x, y]) => (
    <rect
      key={`${x} ${y}`}
      x={x}
      y={y}
      width={width}
      height={height}
      rx={round}
      className="fill-s3 stroke-none"
    />
  ))
}

/** A glyph of the kit around a point, with lines as thick as the picture's. */
function Sign({
  icon,
  x,
  y,
  size,
  lit = true,
}: {
  icon: IconName
  x: number
  y: number
  size: number
  lit?: boolean
}) {
  const scale = size / 24
  return (
    <path
      d={ICONS[icon]}
      transform={`translate(${x - size / 2} ${y - size / 2}) scale(${scale})`}
      strokeWidth={LINE / scale}
      className={lit ? ON_LIT : undefined}
    />
  )
}

/** The lower edge of a browser, its Share sign lit. */
export function SharePicture() {
  return (
    <Picture>
      <path d="M14 8v50a6 6 0 0 0 6 6h32a6 6 0 0 0 6-6V8" />
      <Blocks at={[[20, 10]]} size={[32, 5]} round={2.5} />
      <Blocks at={[[20, 19]]} size={[22, 5]} round={2.5} />
      <circle cx="36" cy="46" r="13" className={LIT} />
      <Sign icon="share" x={36} y={45.5} size={22} />
    </Picture>
  )
}

/** A menu whose row with a plus is lit. */
export function MenuPicture() {
  return (
    <Picture>
      <rect x="10" y="9" width="52" height="54" rx="8" />
      <Blocks
        at={[
          [16, 16],
          [16, 48],
        ]}
        size={[40, 10]}
        round={4}
      />
      <rect x="14" y="30" width="44" height="14" rx="5" className={LIT} />
      <path d="M20 37h14" className={ON_LIT} />
      <rect x="45" y="32.5" width="9" height="9" rx="2.5" className={ON_LIT} />
      <Sign icon="plus" x={49.5} y={37} size={7} />
    </Picture>
  )
}

/** A home screen with the app among others. */
export function HomePicture() {
  return (
    <Picture>
      <rect x="15" y="6" width="42" height="60" rx="8" />
      <Blocks
        at={[21, 39].flatMap((x) => [13, 30, 47].map((y): [number, number] => [x, y]))}
        size={[12, 12]}
        round={3.5}
      />
      <rect x="38" y="29" width="14" height="14" rx="4" className={LIT} />
      <path d="M42 33v6M45 33v6M48 33v6" className={ON_LIT} />
    </Picture>
  )
}

/** A site with its address looked at, and an arrow down. */
export function SitePicture() {
  return (
    <Picture>
      <rect x="9" y="12" width="54" height="48" rx="7" />
      <rect x="14" y="17" width="44" height="11" rx="5.5" className={LIT} />
      <Sign icon="check" x={23} y={22.5} size={10} />
      <path d="M31 22.5h20" className={ON_LIT} />
      <Sign icon="save" x={36} y={44} size={24} lit={false} />
    </Picture>
  )
}

/** Words on paper, and a pen. */
export function PaperPicture() {
  return (
    <Picture>
      <path d="M18 9h26l10 10v44H18z" />
      <path d="M44 9v10h10" />
      {[27, 36, 45, 54].map((y) => (
        <path key={y} d={`M25 ${y}h8M38 ${y}h8`} className="stroke-brand-text" />
      ))}
      <path d="m62 38-13 15-4 1.5 1-4.5 13-15z" className={LIT} />
    </Picture>
  )
}

/** An address in groups, its copy sign lit. */
export function CopyPicture() {
  return (
    <Picture>
      <rect x="8" y="21" width="56" height="30" rx="7" />
      <path d="M15 31h6M25 31h6M35 31h4M15 41h6M25 41h6" />
      <rect x="42" y="25" width="18" height="22" rx="5" className={LIT} />
      <Sign icon="copy" x={51} y={36} size={16} />
    </Picture>
  )
}
