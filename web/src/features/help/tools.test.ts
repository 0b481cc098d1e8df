import { expect, it, test } from "vitest"
import { AUTHENTICATORS, VPNS, WALLETS } from "./tools.ts"

const SITES = [...WALLETS, ...AUTHENTICATORS, ...VPNS].map(({ site }) => site)

it.each(SITES)("%s is a whole, plain address", (site) => {
  const url = new URL(site)
  expect(url.protocol).toBe("https:")
  expect([url.username, url.port, url.search, url.hash]).toEqual(["", "", "", ""])
  // No look-alike letters: a name in other scripts would be written xn--.
  expect(url.hostname).toMatch(/^[a-z0-9.-]+\.[a-z]+$/)
  expect(url.hostname).not.toContain("xn--")
})

test("each is named once, and every wallet keeps the protocol of the chain that is built", () => {
  expect(new Set(SITES).size).toBe(SITES.length)
  for (const { protocols } of WALLETS) expect(protocols).toContain("ERC-20")
})

test("no VPN is recommended by default", () => {
  expect(VPNS).toEqual([])
})
