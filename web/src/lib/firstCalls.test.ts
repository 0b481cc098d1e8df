import { expect, test } from "vitest"
import { firstCalls } from "./firstCalls.ts"

test("without a session only a door's picture is asked for, with one only home's figures", () => {
  expect(firstCalls("/login", null)).toEqual(["/api/auth/captcha"])
  expect(firstCalls("/home", null)).toEqual(["/api/auth/captcha"])
  expect(firstCalls("/home", "a")).toEqual(["/api/user/info", "/api/finance/userFinance"])
  expect(firstCalls("/", "a")).toEqual(["/api/user/info", "/api/finance/userFinance"])
  expect(firstCalls("/game1", "a")).toEqual([])
})
