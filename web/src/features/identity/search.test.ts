// @vitest-environment document
import { afterEach, expect, it } from "vitest"
import { validateRegister } from "./search.ts"

afterEach(() => history.replaceState(null, "", "/"))

it.each(["KALOS123", "23456789", "23456E78", "2E345678", "3E222222"])(
  "an invitation's code %s comes through",
  (code) => {
    history.replaceState(null, "", `/register?code=${code}`)
    let read: unknown = code
    try {
      read = JSON.parse(code) // as the router does
    } catch {}
    expect(validateRegister({ code: read })).toStrictEqual({ code })
  },
)

it("a number that the address doesn't name stays one, and nothing is nothing", () => {
  history.replaceState(null, "", "/register?code=another")
  expect(validateRegister({ code: 23456789 })).toStrictEqual({ code: "23456789" })
  expect(validateRegister({})).toStrictEqual({})
})
