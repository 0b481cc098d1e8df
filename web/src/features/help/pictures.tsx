import type { ReactNode } from "react"

// Drawn here, in the theme's own colours; each stands beside the words that say the same.

function Picture({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 72 72"
      aria-hidden="true"
      fill="none"
      strokeWidth="1.75"
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
const GREY = "fill-s3 stroke-none"

/** The lower edge of a browser, its Share sign lit. */
export function SharePicture() {
  return (
    <Picture>
      <path d="M14 8v50a6 6 0 0 0 6 6h32a6 6 0 0 0 6-6V8" />
      <rect x="20" y="10" width="32" height="5" rx="2.5" className={GREY} />
      <rect x="20" y="19" width="22" height="5" rx="2.5" className={GREY} />
      <circle cx="36" cy="46" r="13" className={LIT} />
      <path d="M36 48v-9M36 39l-3.5 3.5M36 39l3.5 3.5M30.5 46v5.5h11V46" className={ON_LIT} />
    </Picture>
  )
}

/** A menu whose row with a plus is lit. */
export function MenuPicture() {
  return (
    <Picture>
      <rect x="10" y="9" width="52" height="54" rx="8" />
      <rect x="16" y="16" width="40" height="10" rx="4" className={GREY} />
      <rect x="14" y="30" width="44" height="14" rx="5" className={LIT} />
      <path d="M20 37h14" className={ON_LIT} />
      <rect x="45" y="32.5" width="9" height="9" rx="2.5" className={ON_LIT} />
      <path d="M49.5 35v4M47.5 37h4" className={ON_LIT} />
      <rect x="16" y="48" width="40" height="10" rx="4" className={GREY} />
    </Picture>
  )
}

/** A home screen with the app among others. */
export function HomePicture() {
  return (
    <Picture>
      <rect x="15" y="6" width="42" height="60" rx="8" />
      {[21, 39].flatMap((x) =>
        [13, 30, 47].map((y) => (
          <rect key={`${x} ${y}`} x={x} y={y} width="12" height="12" rx="3.5" className={GREY} />
        )),
      )}
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
      <path d="m20 22.5 2.5 2.5 4-5M31 22.5h20" className={ON_LIT} />
      <path d="M36 35v14M36 49l-5-5M36 49l5-5M27 54h18" />
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
      <path d="M49 33.5h6v8h-6zM47 38.5v-7h5.5" className={ON_LIT} />
    </Picture>
  )
}
