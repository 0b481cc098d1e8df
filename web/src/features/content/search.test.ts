// @vitest-environment document
import { expect, it } from "vitest"
import { ownTarget } from "../../lib/bulletins.ts"
import { validateBulletin, validateBulletins } from "./search.ts"

it.each([
  [{}, undefined],
  [{ tab: "news" }, "news"],
  [{ tab: "notice" }, "notice"],
  [{ tab: "banner" }, undefined],
  [{ tab: ["news"] }, undefined],
])("of %j the list is %s", (raw, tab) => {
  expect(validateBulletins(raw)).toEqual({ tab })
})

it.each([
  [{}, undefined],
  [{ id: 7 }, 7],
  [{ id: "7" }, undefined],
  [ownTarget("/bulletin-detail?id=7")?.search ?? {}, 7],
  [{ id: 0 }, undefined],
  [{ id: -1 }, undefined],
  [{ id: 1.5 }, undefined],
  [{ id: 1e21 }, undefined],
  [{ id: "x" }, undefined],
  [{ id: [7] }, undefined],
])("of %j the bulletin is %s", (raw, id) => {
  expect(validateBulletin(raw)).toEqual({ id })
})
