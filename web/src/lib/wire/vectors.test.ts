import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { derive } from "./channel.ts"
import { casesOf, type Rfc9180, type Vectors } from "./vectors.ts"

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../contract/${name}`, import.meta.url), "utf-8"))
const vectors: Vectors = read("wire-vectors.json")
const rfc9180: Rfc9180 = read("rfc9180-vectors.json")
const cases = casesOf(vectors, rfc9180)

test("each of at least 200 vectors is taken once", () => {
  const names = Object.values(vectors).flatMap((list: { name: string }[]) => list.map(({ name }) => name))
  expect(names.length).toBeGreaterThanOrEqual(200)
  expect(new Set(names).size).toBe(names.length)
  expect(cases.map(({ name }) => name)).toEqual([...names, ...rfc9180.vectors.map(({ name }) => name)])
})

test.each(cases)("$name", async ({ run }) => {
  const outcome = await run()
  expect(outcome.map(([made]) => made)).toEqual(outcome.map(([, expected]) => expected))
})

test("two requests with the same text look different", async () => {
  const channel = await derive(new Uint8Array(32), new Uint8Array(32), "sid")
  const place = { method: "POST", path: "/api/x" }
  expect(await channel.sealRequest("{}", place)).not.toBe(await channel.sealRequest("{}", place))
})
