import type { BannerShape, BulletinShape, HeadingShape } from "./api.gen.ts"
import { LANGUAGES } from "./languages.ts"
import { callQuery, pagesQuery } from "./queries.ts"

export type { BannerShape, BulletinShape, HeadingShape }
export type Block = BulletinShape["blocks"][number]
export type Span = Extract<Block, { type: "paragraph" }>["spans"][number]

export const noticesQuery = () => pagesQuery("/api/basic/bulletinList", {})
export const newsQuery = () => pagesQuery("/api/basic/news", {})
export const bannersQuery = () => callQuery("/api/basic/banner", {})

/** The one to read; the id of an address is a number, so that the address stays plain. */
export const bulletinQuery = (id: number) => callQuery("/api/basic/bulletin", { id: String(id) })

const IS_ID = /^[1-9]\d{0,14}$/

/** The screen of a bulletin. */
export const detailOf = (id: string) => ({ to: "/bulletin-detail", search: { id: Number(id) } })

/** The address of a bulletin, for others. */
export const linkTo = (id: string): string => `${location.origin}/bulletin-detail?id=${id}`

/** The tag of the language that a text is in. */
export const tagOf = (header: string): string =>
  LANGUAGES.find((language) => language.header === header)?.tag ?? header

/** Where a link of a text leads on this site; null where it leads elsewhere. */
export function ownTarget(href: string): { to: string; search: Record<string, string | number> } | null {
  if (!href.startsWith("/") || !URL.canParse(href, location.origin)) return null
  const url = new URL(href, location.origin)
  if (url.origin !== location.origin) return null
  // As the router reads an address.
  const search = [...url.searchParams].map(([name, word]) => [name, IS_ID.test(word) ? Number(word) : word])
  return { to: url.pathname, search: Object.fromEntries(search) }
}
