// @vitest-environment document
import { expect, test, vi } from "vitest"
import { appDetails } from "./details.ts"
import { startSession } from "./session.ts"

test("a report tells of the app and nothing of the member", () => {
  vi.stubGlobal("matchMedia", () => ({ matches: false }))
  startSession("a-token-that-stays-here")
  history.replaceState(null, "", "/node1?coin=KLS&from=2026-11-01")
  const report = appDetails(new TypeError("no such part"))
  expect(report.split("\n").map((line) => line.split(":")[0])).toEqual([
    "Kalos",
    "Language",
    "Screen",
    "Runs as",
    "Browser",
    "Time",
    "Screen's address",
    "Failure",
  ])
  expect(report).toContain("Screen's address: /node1\n")
  expect(report).toContain("Failure: TypeError: no such part")
  expect(report).not.toContain("a-token-that-stays-here")
})
