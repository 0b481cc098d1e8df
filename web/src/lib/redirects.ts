const HOME = "/home"
const LONGEST = 2000

/**
 * Where to go after login: the path with its query, if it is one of `known` on this origin; else /home.
 * The address is resolved first, as a browser would: `//host`, `/\host` and `/%09/host` tricks lead to other
 * origins or unknown paths and fall out here.
 */
export function safeRedirect(wanted: unknown, known: ReadonlySet<string>, origin = location.origin): string {
  if (typeof wanted !== "string" || !wanted.startsWith("/") || wanted.length > LONGEST) return HOME
  if (!URL.canParse(wanted, origin)) return HOME
  const url = new URL(wanted, origin)
  if (url.origin !== origin || !known.has(url.pathname)) return HOME
  return url.pathname === "/login" || url.pathname === "/register" ? HOME : url.pathname + url.search
}
