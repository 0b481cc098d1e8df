/** The topics of help; only those whose domain is built. Absent: OTC, NFT, cards, shop. */
export const TOPICS = ["start", "topup", "withdraw", "games", "security"] as const
export type Topic = (typeof TOPICS)[number]

const SCREENS: readonly [RegExp, Topic][] = [
  [/^\/(node3|wallet-register)$/, "topup"],
  [/^\/(node4|address3)$/, "withdraw"],
  [/^\/game/, "games"],
  [/^\/me$/, "security"],
]

/** What help is about that is asked for on this screen. */
export function topicOf(path: string): Topic | undefined {
  return SCREENS.find(([screens]) => screens.test(path))?.[1]
}
