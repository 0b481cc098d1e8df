import { expect, it, test } from "vitest"
import { addressFault, withChecksum } from "./addresses.ts"
import { keccak256 } from "./keccak.ts"

// Of EIP-55 itself: capital letters alone, small ones alone, and both.
const WRITTEN = [
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0xde709f2102306220921060314715629080e2fb77",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
]

it.each(WRITTEN)("%s is right as it stands, and found again from small letters", (address) => {
  expect(addressFault(address)).toBeNull()
  expect(withChecksum(address.toLowerCase())).toBe(address)
})

it.each([
  ["", "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"],
  ["abc", "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"],
  ["a".repeat(135), "34367dc248bbd832f4e3e69dfaac2f92638bd0bbd18f2912ba4ef454919cf446"],
])("the hash of %j is the one that others find", (text, hash) => {
  expect(keccak256(text)).toBe(hash)
})

test("a text of a whole block is none of ours", () => {
  expect(() => keccak256("a".repeat(136))).toThrow("block")
})

it.each([
  ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD", "checksum"],
  ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAee", "checksum"],
  ["0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", "checksum_missing"],
  ["0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED", "checksum_missing"],
  ["5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "form"],
  ["0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "form"],
  ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe", "form"],
  ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed0", "form"],
  ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe٣", "form"],
  ["name.eth", "form"],
  ["", "form"],
])("%j is refused: %s", (address, fault) => {
  expect(addressFault(address)).toBe(fault)
})
