import type { MessageDescriptor } from "@lingui/core"
import { msg } from "@lingui/core/macro"

// What is recommended is bundled, so that it can be read without a connection and nobody can change it on the way.

export type Place = "phone" | "browser" | "device"

export interface Wallet {
  name: string
  /** The maker's own site; it leads on to the stores. */
  site: string
  places: readonly Place[]
  /** Token protocols that it keeps, in the words of the server's chains. */
  protocols: readonly string[]
  /** Where its user finds the own address. */
  copying: MessageDescriptor
}

/** Wallets whose keys stay with their owner. No maker pays for standing here. */
export const WALLETS: readonly Wallet[] = [
  {
    name: "MetaMask",
    site: "https://metamask.io/download",
    places: ["phone", "browser"],
    protocols: ["ERC-20", "BEP-20"],
    copying: msg`Open the account and press the address beside its name.`,
  },
  {
    name: "Rabby",
    site: "https://rabby.io",
    places: ["phone", "browser"],
    protocols: ["ERC-20", "BEP-20"],
    copying: msg`Press the address under the account's name.`,
  },
  {
    name: "Trust Wallet",
    site: "https://trustwallet.com/download",
    places: ["phone", "browser"],
    protocols: ["ERC-20", "BEP-20", "TRC-20"],
    copying: msg`Press Receive, choose the coin on the right network, then copy.`,
  },
  {
    name: "imToken",
    site: "https://token.im",
    places: ["phone"],
    protocols: ["ERC-20", "BEP-20", "TRC-20"],
    copying: msg`Choose the network, then press the address under the wallet's name.`,
  },
  {
    name: "Ledger",
    site: "https://www.ledger.com",
    places: ["device", "phone"],
    protocols: ["ERC-20", "BEP-20", "TRC-20"],
    copying: msg`Press Receive, and compare the address with the one on the device's own screen.`,
  },
]

export interface Tool {
  name: string
  site: string
  note: MessageDescriptor
}

export const AUTHENTICATORS: readonly Tool[] = [
  { name: "Aegis", site: "https://getaegis.app", note: msg`Android, open source` },
  { name: "Ente Auth", site: "https://ente.io/auth", note: msg`Every system, open source` },
  { name: "2FAS", site: "https://2fas.com", note: msg`Android and iPhone, open source` },
  {
    name: "Google Authenticator",
    site: "https://support.google.com/accounts/answer/1066447",
    note: msg`Android and iPhone`,
  },
]

/** For privacy only. Empty unless the operator recommends some; an empty list isn't shown. */
export const VPNS: readonly Tool[] = []
