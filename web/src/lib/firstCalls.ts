/** The calls that screens begin with and that need no fields. */
type Bare = "/api/user/info" | "/api/finance/userFinance" | "/api/auth/captcha"

const HOME: readonly Bare[] = ["/api/user/info", "/api/finance/userFinance"]
/** Without a session every path leads to a door, and each door has a picture. */
const DOOR: readonly Bare[] = ["/api/auth/captcha"]

/** What will be asked first on a page that is loaded at `path`. */
export function firstCalls(path: string, token: string | null): readonly Bare[] {
  if (token === null) return DOOR
  return path === "/" || path === "/home" ? HOME : []
}
