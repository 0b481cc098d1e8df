import { expect, it } from "vitest"
import { validateTeam } from "./search.ts"

it.each([
  [{}, {}],
  [{ tab: "direct", account: "48213957" }, {}],
  [{ tab: "team" }, { tab: "team" }],
  [
    { tab: "team", account: "48213957" },
    { tab: "team", account: "48213957" },
  ],
  [
    { tab: "team", account: 48213957 },
    { tab: "team", account: "48213957" },
  ],
  [{ tab: "team", account: "48****57" }, { tab: "team" }],
  [{ tab: "team", account: "٤٨٢١٣٩٥٧" }, { tab: "team" }],
  [{ tab: ["team"] }, {}],
])("an address %o shows %o", (raw, shown) => {
  expect(validateTeam(raw)).toEqual(shown)
})
