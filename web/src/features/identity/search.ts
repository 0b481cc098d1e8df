interface LoginSearch {
  redirect?: string
  view?: "forgot"
  freeze?: string
}

/** /login: where to go afterwards (checked when it is used), the forgotten password, or a mail's link that freezes. */
export function validateLogin(search: Record<string, unknown>): LoginSearch {
  return {
    ...(typeof search.redirect === "string" ? { redirect: search.redirect } : {}),
    ...(search.view === "forgot" ? { view: search.view } : {}),
    ...(search.freeze === undefined ? {} : { freeze: String(search.freeze) }),
  }
}

/** /register: the inviter's code. */
export function validateRegister(search: Record<string, unknown>): { code?: string } {
  // The router reads "123456" as a number; a code may be all digits.
  return search.code === undefined ? {} : { code: String(search.code).slice(0, 32) }
}

/** /me3: the settings, or the notices of third parties. */
export function validateSettings(search: Record<string, unknown>): { view?: "licences" } {
  return search.view === "licences" ? { view: "licences" } : {}
}
