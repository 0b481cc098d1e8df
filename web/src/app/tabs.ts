import type { MessageDescriptor } from "@lingui/core"
import { msg } from "@lingui/core/macro"
import type { IconName } from "../ui/icons.ts"

export interface Tab {
  root: string
  label: MessageDescriptor
  icon: IconName
  /** Other screens on which the tab stays lit. */
  lit: RegExp
}

/** The bottom bar of five; what isn't built is left out of it (useTabs.ts). */
export const TABS: readonly Tab[] = [
  {
    root: "/home",
    label: msg`Home`,
    icon: "home",
    lit: /^\/(home|store|invite1?|rank|bulletin|bulletin-detail|help)$/,
  },
  { root: "/index1", label: msg`Trade`, icon: "trade", lit: /^\/(index1|order[123]?|buy-coin|price-chart)$/ },
  { root: "/game", label: msg`Play`, icon: "play", lit: /^\/game(1|web)?$/ },
  { root: "/node", label: msg`Assets`, icon: "assets", lit: /^\/(node\d*|subsidy|miner\d?|nft.*)$/ },
  {
    root: "/me",
    label: msg`Me`,
    icon: "me",
    lit: /^\/(me\d?|card.*|openCard1?|realName1?|address\d?|storeMyItem\d)$/,
  },
]

/** Lists of money, which a pull asks for anew as it does the screens with the bar. */
export const PULLED: ReadonlySet<string> = new Set(["/node1", "/node3", "/node4"])

/** Screens that show the bar: the five roots and three more. */
export const WITH_BAR: ReadonlySet<string> = new Set([
  ...TABS.map((tab) => tab.root),
  "/order",
  "/store",
  "/rank",
])
