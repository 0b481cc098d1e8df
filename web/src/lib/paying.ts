// Apart from the payments themselves, which a page loads once somebody pays.

/** Every payment of the page, and who follows whether one is under way. */
export const payments = new Set<{ read: () => { step: string } }>()
export const followers = new Set<() => void>()

/** Whether a payment stands before the member: under review, sent, or without an answer. */
export const isPaying = (): boolean => [...payments].some((payment) => payment.read().step !== "form")

export function watchPayments(follower: () => void): () => void {
  followers.add(follower)
  return () => followers.delete(follower)
}
