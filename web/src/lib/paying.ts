// Apart from the payments themselves, which a page loads once somebody pays.

interface Known {
  read: () => { step: string }
  /** A screen shows it. */
  isShown: () => boolean
}

/** Every payment of the page, and who follows whether one is under way. */
export const payments = new Set<Known>()
export const followers = new Set<() => void>()

/** Whether a payment is under review, sent, or without an answer, whatever screen is shown. */
export const isPaying = (): boolean => [...payments].some((payment) => payment.read().step !== "form")

export function watchPayments(follower: () => void): () => void {
  followers.add(follower)
  return () => followers.delete(follower)
}
