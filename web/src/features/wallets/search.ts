export interface BookSearch {
  /** An address is chosen for a withdrawal. */
  pick?: true
}

/** /address3: whether an address is to be chosen; `?pick` alone says so too. */
export function validateBook(raw: Record<string, unknown>): BookSearch {
  return raw.pick === true || raw.pick === "" ? { pick: true } : {}
}
