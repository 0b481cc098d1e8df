import { expect, test } from "vitest"
import { validateBook } from "./search.ts"

test("an address is chosen where the screen is asked to", () => {
  expect([validateBook({ pick: true }), validateBook({ pick: "" })]).toEqual([{ pick: true }, { pick: true }])
})

test("anything else is the book itself", () => {
  expect([validateBook({}), validateBook({ pick: false }), validateBook({ pick: "no" })]).toEqual([
    {},
    {},
    {},
  ])
})
