export const TABS = ["notice", "news"] as const
export type BulletinTab = (typeof TABS)[number]

/** /bulletin: which of its two lists. What is left out here would come through as the address has it. */
export function validateBulletins({ tab }: Record<string, unknown>): { tab?: BulletinTab | undefined } {
  return { tab: TABS.find((known) => known === tab) }
}

/** /bulletin-detail: which one; nothing where the address names none. */
export function validateBulletin({ id }: Record<string, unknown>): { id?: number | undefined } {
  return { id: typeof id === "number" && Number.isSafeInteger(id) && id > 0 ? id : undefined }
}
