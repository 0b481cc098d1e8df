import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { packageGroups, preface } from "./licences.ts"

test("the notices of the repository are whole: every package of the page with version and licence", () => {
  const groups = packageGroups()
  const all = groups.flatMap(({ packages }) => packages)
  const lines = readFileSync("../THIRD-PARTY.md", "utf8").match(/^\| (?!package |---)/gm)
  expect(all).toHaveLength(lines?.length ?? 0)
  for (const { name, version, licence } of all) {
    expect(name).not.toBe("")
    expect(version).toMatch(/^\d/)
    expect(licence).not.toBe("")
  }
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"))
  const named = new Map(all.map(({ name, version }) => [name, version]))
  for (const [name, version] of Object.entries(dependencies))
    expect([name, named.get(name)]).toEqual([name, version])
  expect(preface).toMatch(/^Kalos is put together[^#|`]+1\.1\.$/)
})
