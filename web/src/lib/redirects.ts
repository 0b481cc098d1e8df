/**
 * Where to go after login: the path with its query, if it is one of `known` on this origin; else /home.
 * The address is resolved first, as a browser would: `//host`, `/\host` and `/%09/host` tricks lead to other
 * origins or unknown paths and fall out here.
 */
export function safeRedirect(wanted: unknown, known: ReadonlySet<string>, origin = location.origin): string {
  if (typeof wanted !== "string" || !wanted.startsWith("/")) return "/home"
  try {
    const url = new URL(wanted, origin)
    if (url.origin !== origin || !known.has(url.pathname)) return "/home"
    if (url.pathname === "/login" || url.pathname === "/register") return "/home"
    return url.pathname + url.search
  } catch {
    return "/home"
  }
}
