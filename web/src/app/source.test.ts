import { readdirSync, readFileSync } from "node:fs"
import { expect, it, test } from "vitest"

const files = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
const screens = files.filter((name) => /^(features|app)\//.test(name))
const text = (name: string) => readFileSync(`src/${name}`, "utf8")
const withoutComments = (name: string) => text(name).replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, "")

const FORBIDDEN: [string, RegExp][] = [
  ["a bare control", /<(input|button|select|textarea)\b/],
  ["a colour", /#[0-9a-fA-F]{3,8}\b(?!`)|\brgba?\(|\bhsla?\(|\boklch\(/],
  ["a pixel", /\d(px)\b/],
  ["a format of its own", /\bIntl\b|\.toLocale\w*\(|\.toFixed\(/],
  ["a number made of an amount", /\bparseFloat\(|\bNumber\(/],
  ["a call past the api", /\bfetch\(|\bnew WebSocket\b/],
  ["styles of its own", /\bstyle=/],
]

it.each(FORBIDDEN)("no screen holds %s", (_name, pattern) => {
  expect(screens.filter((name) => pattern.test(withoutComments(name)))).toEqual([])
})

test("features import no other feature, the kit imports no screen, the library imports no kit", () => {
  const wrong = files.flatMap((name) =>
    [...text(name).matchAll(/from "(\.[^"]+)"|import\("(\.[^"]+)"\)/g)]
      .map((found) => new URL(found[1] ?? found[2] ?? "", `https://src/${name}`).pathname.slice(1))
      .filter((target) => !allowed(name, target))
      .map((target) => `${name} -> ${target}`),
  )
  expect(wrong).toEqual([])
})

function allowed(name: string, target: string): boolean {
  const [room, feature] = name.split("/")
  const [into, intoFeature] = target.split("/")
  if (room === "lib")
    return into === "lib" || into === "locales" || target === "package.json" || target === "THIRD-PARTY.md"
  if (room === "ui") return into === "ui" || into === "lib"
  if (room === "features")
    return into === "ui" || into === "lib" || (into === "features" && intoFeature === feature)
  return true
}

test("no component file is over 250 lines", () => {
  expect(files.filter((name) => name.endsWith(".tsx") && text(name).split("\n").length > 250)).toEqual([])
})
