// @vitest-environment document
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { expect, it, test } from "vitest"
import { MENDING } from "../lib/mending.ts"
import { UNBUILT } from "../lib/unbuilt.ts"
import { makeRouter } from "./router.ts"
import { TABS, WITH_BAR } from "./tabs.ts"

// The product's 72 paths.
const PATHS = readFileSync(resolve(import.meta.dirname, "../../../contract/routes.txt"), "utf8")
  .trim()
  .split("\n")

const router = makeRouter()
const registered = Object.keys(router.routesByPath).filter((path) => path !== "/" && path !== "/gallery")

test("the 72 paths are registered, and nothing else", () => {
  expect(PATHS).toHaveLength(72)
  expect(registered.sort()).toEqual([...PATHS].sort())
})

it.each(PATHS)("%s is loaded when it is first gone to", (path) => {
  const route = router.routesByPath[path as keyof typeof router.routesByPath]
  const component = route.options.component as { preload?: () => Promise<void> } | undefined
  expect(component?.preload).toBeTypeOf("function")
})

test("what a refusal leads to is a path of the product", () => {
  expect(MENDING.filter((path) => !PATHS.includes(path))).toEqual([])
})

test("what isn't built is a path of the product, once", () => {
  expect(new Set(UNBUILT).size).toBe(UNBUILT.length)
  expect(UNBUILT.filter((path) => !PATHS.includes(path))).toEqual([])
})

// May only be lowered.
const MOST_UNBUILT = 52
test("the list of what isn't built only shrinks", () => {
  expect(UNBUILT.length).toBeLessThanOrEqual(MOST_UNBUILT)
})

test("every tab leads to a path, and no path lights two", () => {
  for (const { root } of TABS) expect(PATHS).toContain(root)
  for (const path of PATHS) expect(TABS.filter(({ lit }) => lit.test(path)).length).toBeLessThanOrEqual(1)
  for (const path of WITH_BAR) expect(PATHS).toContain(path)
})
