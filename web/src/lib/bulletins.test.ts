// @vitest-environment document
import { expect, it, test } from "vitest"
import { detailOf, linkTo, ownTarget, tagOf } from "./bulletins.ts"

it.each([
  ["/help", { to: "/help", search: {} }],
  ["/bulletin-detail?id=7", { to: "/bulletin-detail", search: { id: 7 } }],
  ["/me3?view=service&ticket=007", { to: "/me3", search: { view: "service", ticket: "007" } }],
  ["/game1?game=odd_even&view=rules", { to: "/game1", search: { game: "odd_even", view: "rules" } }],
  ["https://example.com/help", null],
  ["//evil.example/help", null],
  ["/\\evil.example", null],
  ["javascript:alert(1)", null],
  ["help", null],
  ["//", null],
  ["", null],
])("%j leads to %j", (href, target) => {
  expect(ownTarget(href)).toEqual(target)
})

test("a bulletin has a plain address, and a language its tag", () => {
  expect(detailOf("7")).toEqual({ to: "/bulletin-detail", search: { id: 7 } })
  expect(linkTo("7")).toBe(`${location.origin}/bulletin-detail?id=7`)
  expect([tagOf("zh_CN"), tagOf("tw"), tagOf("vi"), tagOf("xx")]).toEqual([
    "zh-Hans",
    "zh-Hant-TW",
    "vi",
    "xx",
  ])
})
