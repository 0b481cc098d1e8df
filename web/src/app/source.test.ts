import { readdirSync, readFileSync } from "node:fs"
import { expect, it, test } from "vitest"

const all = readdirSync("src", { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => `${entry.parentPath}/${entry.name}`.replaceAll("\\", "/").replace(/^src\//, ""))
const files = all.filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
const screens = files.filter((name) => /^(features|app|operator)\/(?!main\.tsx)/.test(name))
const read = (name: string) => readFileSync(`src/${name}`, "utf8")
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, "")

const CONTROL = "input|button|select|textarea|option|dialog|details|iframe"
const NAMED = "white|black|ink|slate|gray|zinc|neutral|stone|red|orange|amber|yellow|lime|green|emerald"
const HUES = `${NAMED}|teal|cyan|sky|blue|indigo|violet|purple|fuchsia|pink|rose`

/** What no screen may hold, and what such a screen would look like. */
const FORBIDDEN: [string, RegExp, string[]][] = [
  [
    "a bare control",
    new RegExp(
      `<(${CONTROL})\\b|\\bcreateElement\\(|[=(]\\s*["'\`](${CONTROL})["'\`]\\s*(as const)?\\s*[;\\n)]`,
    ),
    ["<input />", 'createElement("input")', 'document.createElement("p")', 'const Tag = "button"\n'],
  ],
  [
    "a handler that only the kit knows how to give to everybody",
    /\bon(Click|MouseDown|Touch\w+|Pointer\w+|KeyDown)=|\brole=["'{](button|link|textbox|checkbox|radio|switch)/,
    ["<div onClick={go}>", "<p onTouchStart={go}>", '<div role="button">'],
  ],
  [
    "a colour",
    new RegExp(
      `#[0-9a-fA-F]{3,8}\\b(?!\`)|\\b(rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix)\\(|-(${HUES})(-\\d{2,3})?(?=[\\s"'\`/])|var\\(--`,
    ),
    [
      '"bg-[#fff]"',
      "rgb(1 2 3)",
      "color-mix(in srgb, red, blue)",
      '"text-red-500"',
      '"bg-white"',
      "var(--s1)",
    ],
  ],
  ["a pixel", /\d(px)\b|-px(?=[\s"'`])/, ['"mt-[3px]"', '"gap-px"', "height: 4px"]],
  [
    "a format of its own",
    /\bIntl\b|\.toLocale\w*\(|\.to(Fixed|Precision|Exponential|ISOString|UTCString|DateString|TimeString)\(|\.localeCompare\(/,
    [
      "new Intl.NumberFormat()",
      "x.toLocaleString()",
      "x.toFixed(2)",
      "x.toPrecision(3)",
      "a.localeCompare(b)",
    ],
  ],
  [
    "a number made of an amount",
    // Hexadecimal is no amount.
    /\bparseFloat\(|\bNumber\(|\bparseInt\((?![^()]*, 16\))/,
    ['parseFloat("1")', "Number(amount)", 'Number.parseInt("1")', "parseInt(amount)"],
  ],
  [
    "a call past the api",
    /\bfetch\(|\bnew (WebSocket|XMLHttpRequest|EventSource)\b|\.sendBeacon\(/,
    ["fetch(url)", "new WebSocket(url)", "new XMLHttpRequest()", "navigator.sendBeacon(url)"],
  ],
  [
    "styles of its own",
    /\bstyle=|\.style\b|\bcssText\b|["']style["']|<style\b|\.css["']|\.className\b|dangerouslySetInnerHTML/,
    [
      "<p style={{}}>",
      "node.style.top",
      '<style href="x">',
      'import "./x.css"',
      "dangerouslySetInnerHTML={x}",
    ],
  ],
]

it.each(FORBIDDEN)("no screen holds %s", (_name, pattern) => {
  expect(screens.filter((name) => pattern.test(withoutComments(read(name))))).toEqual([])
})

it.each(FORBIDDEN)("the rule against %s bites", (_name, pattern, examples) => {
  expect(examples.filter((example) => !pattern.test(withoutComments(example)))).toEqual([])
})

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
