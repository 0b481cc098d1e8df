import { readdirSync, readFileSync } from "node:fs"
import { expect, it, test } from "vitest"

const all = readdirSync("src", { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => `${entry.parentPath}/${entry.name}`.replaceAll("\\", "/").replace(/^src\//, ""))
const files = all.filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
const read = (name: string) => readFileSync(`src/${name}`, "utf8")

// What a screen may take from packages; whatever else it needs, the kit or the library brings.
const PACKAGES = new Set([
  "react",
  "react-hook-form",
  "@lingui/core",
  "@lingui/core/macro",
  "@lingui/react",
  "@lingui/react/macro",
  "@tanstack/react-query",
  "@tanstack/react-router",
])

/** Where a file's imports lead: into the source, or to a package. */
function importsOf(name: string, text: string): string[] {
  const found = text.matchAll(/(?:\bfrom|\bimport|\bimport\(|\brequire\()\s*["'`]([^"'`]+)["'`]/g)
  return [...found].map(([, path = ""]) =>
    path.startsWith(".") ? new URL(path, `https://src/${name}`).pathname.slice(1) : path,
  )
}

function mayImport(name: string, target: string): boolean {
  const [room, feature] = name.split("/")
  const [into, intoFeature] = target.split("/")
  const isPackage = !/^(app|features|ui|lib|locales|gallery|operator|testing|worker|first)\//.test(target)
  if (room === "worker") return into === "worker" || target === "lib/messages.ts"
  if (into === "worker") return false
  // What draws before the code has come: nothing that needs the rest of it.
  if (room === "first") return into === "first" || into === "lib" || target === "app/paths.ts"
  if (into === "first") return false
  // The console: a page of its own, which shares the kit and the library with the members'.
  if (room === "operator")
    return into === "operator" || into === "ui" || into === "lib" || into === "locales" || isPackage
  if (into === "operator") return false
  if (room === "lib") return into === "lib" || into === "locales" || isPackage
  if (room === "ui") return into === "ui" || into === "lib" || isPackage
  if (room === "gallery") return into === "gallery" || into === "ui" || into === "lib" || PACKAGES.has(target)
  if (isPackage) return PACKAGES.has(target) || room?.startsWith("main") === true || room === "testing"
  if (room === "features")
    return into === "ui" || into === "lib" || (into === "features" && intoFeature === feature)
  return into !== "testing" || room === "testing"
}

const wrong = (name: string, text: string) =>
  importsOf(name, text)
    .filter((target) => !mayImport(name, target))
    .map((target) => `${name} -> ${target}`)

test("screens import the kit, the library and their own feature; the kit no screen; the library no kit", () => {
  expect(files.flatMap((name) => wrong(name, read(name)))).toEqual([])
})

it.each([
  ["features/games/X.tsx", 'import { x } from "../identity/search.ts"'],
  ["features/games/X.tsx", 'const x = import("../../app/router.ts")'],
  ["features/games/X.tsx", 'export { x } from "../overview/search.ts"'],
  ["features/games/X.tsx", 'import { Dialog } from "@base-ui/react/dialog"'],
  ["features/games/X.tsx", 'import "../../gallery/Part.tsx"'],
  ["app/X.tsx", 'import Big from "big.js"'],
  ["ui/X.tsx", 'import { x } from "../features/games/words.ts"'],
  ["lib/x.ts", 'import { x } from "../ui/Button.tsx"'],
  ["gallery/X.tsx", 'import { x } from "../features/games/words.ts"'],
  ["worker/x.ts", 'import { x } from "../lib/session.ts"'],
  ["lib/x.ts", 'import { x } from "../worker/shell.ts"'],
  ["first/x.ts", 'import { x } from "../ui/Button.tsx"'],
  ["first/x.ts", 'import { x } from "react"'],
  ["app/x.ts", 'import { x } from "../first/paint.ts"'],
  ["operator/X.tsx", 'import { x } from "../features/games/words.ts"'],
  ["operator/X.tsx", 'import { x } from "../app/router.ts"'],
  ["app/X.tsx", 'import { x } from "../operator/session.ts"'],
  ["ui/X.tsx", 'import { x } from "../operator/Table.tsx"'],
])("in %s the rule bites: %s", (name, text) => {
  expect(wrong(name, text)).toHaveLength(1)
})

/** Parts of the kit that the gallery has no place for, and why. */
const NOT_IN_GALLERY: Record<string, string> = {
  "AcceptNotice.tsx": "its text is the server's; what it is made of is there",
  "Banner.tsx": "what it says is the server's; it is looked at on /home and /invite",
  "CheckedForm.tsx": "looks like its fields and its summary, which are there",
  "Column.tsx": "stands around the gallery itself, as around every screen",
  "DemoBanner.tsx": "stands above every page of a demo installation alone",
  "Near.tsx": "looks like what it waits with",
  "OfflineBanner.tsx": "stands above the gallery itself once the server is away",
  "UpdateBanner.tsx": "stands above the gallery itself once there is a newer build",
}

test("every part of the kit is in the gallery, by itself or in another part", () => {
  const parts = files.filter((name) => /^ui\/.*\.tsx$/.test(name))
  const shown = new Set(files.filter((name) => name.startsWith("gallery/")))
  for (const name of shown)
    for (const target of importsOf(name, read(name))) if (target.startsWith("ui/")) shown.add(target)
  const missing = parts.filter((name) => !shown.has(name)).map((name) => name.slice("ui/".length))
  expect(missing).toEqual(Object.keys(NOT_IN_GALLERY))
})

/** Where it is told, of files that look as if they swallowed it. */
const TOLD_ELSEWHERE = {
  "features/protection/useLimits.ts": "in the forms that use this hook",
}

/** A press whose call is quiet, without a place for what was refused. */
const isSwallowed = (text: string) =>
  /useMutation\(/.test(text) &&
  /quiet: true/.test(text) &&
  !/\.error\b(?! instanceof)|<Problem\b|onError: \((problem|refused)/.test(text)

test("what a press was refused is shown where it was pressed, or as a toast", () => {
  expect(files.filter((name) => isSwallowed(read(name)))).toEqual(Object.keys(TOLD_ELSEWHERE))
  expect(isSwallowed('useMutation({ mutationFn: () => call("/x", {}, { quiet: true }) })')).toBe(true)
})

const isStray = (name: string) =>
  /^(features|app|gallery|lib|operator)\//.test(name) && !/\.tsx?$|\/locales\/[\w-]+\.po$/.test(name)

test("styles, fonts and pictures stand in the kit alone", () => {
  expect(all.filter(isStray)).toEqual([])
  expect(["features/games/Room.module.css", "app/shell.css", "features/games/coin.svg"].every(isStray)).toBe(
    true,
  )
})

test("no component file is over 250 lines", () => {
  expect(files.filter((name) => name.endsWith(".tsx") && read(name).split("\n").length > 250)).toEqual([])
})
