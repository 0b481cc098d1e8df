// Where the page finds its API and its live socket. Why so: docs/decisions/0016-hosts.md.

import { random, toHex } from "./wire/bytes.ts"

/** What the functions need of `location`. */
export type Place = Pick<Location, "protocol" | "hostname" | "host" | "origin">

/** Whether a site may own this name; false for public suffixes such as com, co.uk or github.io. */
export type IsSite = (name: string) => boolean

/** Said instead of an address: the page's host with its first label replaced by `api` or `ws`. */
const SIBLING = "sibling"

/** Origin of the API: the page's own unless `told` is another place in the page's own domain. */
export function apiOrigin(page: Place, told: string, isSite: IsSite): string {
  if (told === "") return page.origin
  const host = told === SIBLING ? sibling(page, "api", isSite) : null
  return host === null
    ? (within(page, told, "http", isSite)?.origin ?? page.origin)
    : `${page.protocol}//${host}`
}

/** Address of the live socket: where `told` says, else on the host's sibling, else beside the page. */
export function socketUrl(page: Place, told: string, isSite: IsSite): string {
  if (told !== "" && told !== SIBLING) return within(page, told, "ws", isSite)?.href ?? besidePage(page)
  const host = sibling(page, "ws", isSite)
  return host === null ? besidePage(page) : `${socketScheme(page)}//${host}/ws`
}

/** The socket on the page's own origin. */
export const besidePage = (page: Place): string => `${socketScheme(page)}//${page.host}/ws`

const socketScheme = (page: Place) => (page.protocol === "https:" ? "wss:" : "ws:")

/** The page's host with another first label; null where that would be outside the page's own domain. */
function sibling(page: Place, label: string, isSite: IsSite): string | null {
  const domain = ownDomain(page.hostname, isSite)
  if (domain === page.hostname) return null
  return page.host.replace(/^[^.]+/, label)
}

/** `told` as an address, if it is in the page's own domain and no less secure than the page. */
function within(page: Place, told: string, scheme: "http" | "ws", isSite: IsSite): URL | null {
  if (!URL.canParse(told)) return null
  const url = new URL(told)
  const secure = url.protocol === `${scheme}s:`
  if (!secure && (page.protocol === "https:" || url.protocol !== `${scheme}:`)) return null
  if (url.hostname === page.hostname) return url
  const domain = ownDomain(page.hostname, isSite)
  return hasLabels(domain) && (url.hostname === domain || url.hostname.endsWith(`.${domain}`)) ? url : null
}

/** The registrable domain that a host is in; of localhost, an address or a single label the host itself. */
function ownDomain(host: string, isSite: IsSite): string {
  if (!hasLabels(host) || host.endsWith(".")) return host
  for (let domain = host; ; ) {
    const above = domain.slice(domain.indexOf(".") + 1)
    if (!above.includes(".") || !isSite(above)) return domain
    domain = above
  }
}

/** Whether it is a name of several labels on the internet. */
const hasLabels = (host: string) =>
  host.includes(".") && !/^[\d.]+$/.test(host) && !host.startsWith("[") && !host.endsWith(".localhost")

const TRIED = "kalos-site"

/** Ask the browser, who knows the list of public suffixes: it lets no page set a cookie for one. */
export function isSite(name: string): boolean {
  const mark = toHex(random(8)) // a cookie of another host under this name must not answer for it
  const set = (value: string, seconds: number) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the newer interface answers too late for the first call
    document.cookie = `${TRIED}=${value}; Domain=${name}; Path=/; Max-Age=${seconds}; SameSite=Strict`
  }
  set(mark, 5)
  const taken = document.cookie.split("; ").includes(`${TRIED}=${mark}`)
  set("", 0)
  return taken
}

/** What the page's meta tags say, else the build; empty: nothing. */
export const toldApi = (): string => metaTag("kalos-api") ?? import.meta.env.VITE_API ?? ""
export const toldSocket = (): string => metaTag("kalos-live") ?? import.meta.env.VITE_SOCKET ?? ""

const metaTag = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content
