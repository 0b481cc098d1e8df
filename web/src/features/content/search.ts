import { wordsIn } from "../../lib/searched.ts"

export const TABS = ["notice", "news"] as const
export type BulletinTab = (typeof TABS)[number]

/** /bulletin: which of its two lists. */
export function validateBulletins(raw: Record<string, unknown>): { tab?: BulletinTab } {
  return wordsIn(raw, { tab: TABS })
}

/** /bulletin-detail: which one; nothing where the address names none. */
export function validateBulletin({ id }: Record<string, unknown>): { id?: number } {
  return typeof id === "number" && Number.isSafeInteger(id) && id > 0 ? { id } : {}
}
