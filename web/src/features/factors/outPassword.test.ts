import { expect, it, test } from "vitest"
import { bodyOf, FIELDS, fieldOf, outPasswordFits } from "./outPassword.ts"

it.each([
  ["246810", true],
  ["24681", false],
  ["1".repeat(20), true],
  ["1".repeat(21), false],
  ["2468a0", false],
  ["246 810", false],
  ["２４６８１０", false],
  ["๒๔๖๘๑๐", false],
  ["", false],
])("the withdrawal password %j fits: %s", (password, fits) => {
  expect(outPasswordFits(password)).toBe(fits)
})

const fields = {
  password: "blue4mountain",
  old: "246810",
  next: "135791",
  again: "135791",
  google_code: "492 039",
}
const wish = { new_password: "135791", confirm_password: "135791" }

test("each way sends what it asked for and nothing of the others", () => {
  const codes = { email_code: "402913" }
  const first = { ...wish, password: "blue4mountain" }
  expect(bodyOf("first", fields, codes)).toEqual({ ...first, email_code: "402913" })
  expect(bodyOf("first", fields, { google_code: "492039" })).toEqual({ ...first, google_code: "492039" })
  expect(bodyOf("change", fields, codes)).toEqual({ ...wish, old_password: "246810", email_code: "402913" })
  expect(bodyOf("forgotten", fields, codes)).toEqual({ ...wish, email_code: "402913", google_code: "492039" })
  const bare = { ...fields, google_code: " " }
  expect(bodyOf("forgotten", bare, codes)).toEqual({ ...wish, email_code: "402913" })
})

test("what is wrong with a field is told at it", () => {
  for (const error of ["wrong_credentials", "wrong_out_password", "password_same", "password_mismatch"])
    expect(FIELDS).toContain(fieldOf(error))
  expect(fieldOf("too_many")).toBeUndefined()
})
