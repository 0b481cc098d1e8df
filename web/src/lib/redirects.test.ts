import { expect, it } from "vitest"
import { safeRedirect } from "./redirects.ts"

const KNOWN = new Set(["/home", "/node", "/node1", "/game1", "/login", "/register"])
const ORIGIN = "https://kalos.example"

it.each([
  ["/node", "/node"],
  ["/node1?coin=KLS&type=x", "/node1?coin=KLS&type=x"],
  ["/game1?game=odd_even#top", "/game1?game=odd_even"],
  ["/a/../node", "/node"],
])("goes to %s", (wanted, to) => {
  expect(safeRedirect(wanted, KNOWN, ORIGIN)).toBe(to)
})

it.each([
  undefined,
  null,
  7,
  "",
  "node",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/%09/evil.example",
  "/%2f/evil.example",
  "/%5cevil.example",
  "https://evil.example/node",
  "https:/evil.example",
  "javascript:alert(1)",
  "/javascript:alert(1)",
  "data:text/html,x",
  "/unknown",
  "/node/../../evil",
  "/login?redirect=/node",
  "/register",
  "/@evil.example",
  "//kalos.example@evil.example/node",
])("doesn't follow %j", (wanted) => {
  expect(safeRedirect(wanted, KNOWN, ORIGIN)).toBe("/home")
})
