interface LoginSearch {
  redirect?: string
  view?: "forgot" | "closed"
  freeze?: string
}

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** Who logs in, where another page knows it: of an address no URL may know. */
    name?: string | undefined
  }
}

/** /login: where to go afterwards (checked when it is used), the forgotten password, that an account was closed, or a
 * mail's link that freezes. */
export function validateLogin(search: Record<string, unknown>): LoginSearch {
  return {
    ...(typeof search.redirect === "string" ? { redirect: search.redirect } : {}),
    ...(search.view === "forgot" || search.view === "closed" ? { view: search.view } : {}),
    ...(search.freeze === undefined ? {} : { freeze: String(search.freeze) }),
  }
}

/** /register: the inviter's code. */
export function validateRegister(search: Record<string, unknown>): { code?: string } {
  // The router reads "123456" as a number; a code may be all digits.
  const code = String(search.code ?? "").trim()
  return code === "" ? {} : { code: code.slice(0, 32) }
}

interface SettingsSearch {
  view?: "licences" | "service"
  /** Of customer service: one's ticket, or a new one. */
  ticket?: string
}

/** /me3: the settings, the notices of third parties, or customer service. */
export function validateSettings(search: Record<string, unknown>): SettingsSearch {
  if (search.view === "licences") return { view: "licences" }
  if (search.view !== "service") return {}
  // The router reads "7" as a number.
  const ticket = String(search.ticket ?? "")
  return { view: "service", ...(/^(new|[0-9]{1,18})$/.test(ticket) && { ticket }) }
}
