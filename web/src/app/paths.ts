/** What a visitor may see. */
export const OPEN: ReadonlySet<string> = new Set(["/login", "/register", "/gallery"])

/** The product's paths, written down as its routes are made: only these may be named by a redirect. */
export const paths = new Set<string>()
