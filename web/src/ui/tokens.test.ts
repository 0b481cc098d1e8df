import { readFileSync } from "node:fs"
import { expect, it, test } from "vitest"

const css = readFileSync("src/ui/tokens.css", "utf8")

function tokensOf(selector: string): Record<string, string> {
  const start = css.indexOf(`\n${selector} {`)
  const block = css.slice(start, css.indexOf("\n}", start))
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]),
  )
}

const ink = tokensOf(":root")
const paper = tokensOf(':root[data-theme="paper"]')

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: string | undefined, other: string | undefined): number {
  if (!one || !other) throw new Error("no such token")
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

const mixed = (one = "", other = "", share = Number.NaN) =>
  `#${[1, 3, 5]
    .map((at) => [one, other].map((colour) => Number.parseInt(colour.slice(at, at + 2), 16)))
    .map(([a = 0, b = 0]) =>
      Math.round(a * share + b * (1 - share))
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`

const worst = (tokens: Record<string, string>, name: string, surfaces = ["bg", "s1", "s2", "s3"]) =>
  Math.min(...surfaces.map((surface) => contrast(tokens[name], tokens[surface])))
const cut = (value: number) => Math.floor(value * 100 + 0.5) / 100

// The design's measured minima, over page and all three surfaces.
const MINIMA: [string, number, number][] = [
  ["t1", 13.09, 14.02],
  ["t2", 7.05, 6.65],
  ["t3", 5.14, 4.59],
  ["field", 3.37, 3.09],
  ["brand-text", 6.12, 6.43],
  ["green", 6.47, 4.68],
  ["red", 5.22, 4.91],
  ["rise-cvd", 5.75, 5.02],
  ["fall-cvd", 6.97, 5.32],
  ["warn", 7.95, 5.69],
  ["info", 6.59, 5.33],
  ["gold", 8.3, 5.58],
]

it.each(MINIMA)("%s has the design's contrast in both themes", (name, dark, light) => {
  expect([cut(worst(ink, name)), cut(worst(paper, name))]).toEqual([dark, light])
})

it.each([
  ["on-brand", "brand"],
  ["on-green", "green"],
  ["on-red", "red"],
  ["on-cvd", "rise-cvd"],
  ["on-cvd", "fall-cvd"],
])("%s can be read on %s", (text, ground) => {
  for (const tokens of [ink, paper])
    expect(contrast(tokens[text], tokens[ground])).toBeGreaterThanOrEqual(4.5)
})

test("data colours stand out from page and cards", () => {
  for (const tokens of [ink, paper])
    for (const name of [1, 2, 3, 4, 5])
      expect(worst(tokens, `data-${name}`, ["bg", "s1", "s2"])).toBeGreaterThanOrEqual(3)
})

test("what is selected can be read, in a tint of the brand's", () => {
  const [, share] =
    /::selection \{\n *background: color-mix\(in srgb, var\(--brand\) (\d+)%, var\(--s1\)\);\n *color: var\(--t1\);/.exec(
      css,
    ) ?? []
  for (const tokens of [ink, paper])
    expect(contrast(tokens.t1, mixed(tokens.brand, tokens.s1, Number(share) / 100))).toBeGreaterThanOrEqual(7)
})

test("what a browser filled in keeps the field's ground and the letters of the page", () => {
  const [, rules] = /:autofill \{([^}]*)\}/.exec(css) ?? []
  expect(rules).toContain("background-clip: text")
  expect(rules).toContain("-webkit-text-fill-color: var(--t1)")
})

test("both themes have the same tokens", () => {
  expect(Object.keys(paper).sort()).toEqual(Object.keys(ink).sort())
})

const scripts = (tag: string) =>
  [...css.matchAll(/\n((?:(?::lang\([\w-]+\)|\[lang="\w+"\]),?\s*)+)\{([^}]*)\}/g)]
    .filter(([, selectors]) => [`:lang(${tag})`, `[lang="${tag}"]`].some((one) => selectors?.includes(one)))
    .map(([, , rules]) => rules)
    .join("")

test.each([
  ["vi", ["--line-least: 1.45"]],
  ["th", ["--line-least: 1.6", "--line-grow: 1.15", "--tight: 0"]],
  ["ja", ["line-break: strict", "--strong: 500", "Noto Sans JP"]],
  ["ko", ["word-break: keep-all", "--strong: 500", "Noto Sans KR"]],
  ["zh", ["--strong: 500"]],
  ["zh-Hans", ["Noto Sans SC"]],
  ["zh-Hant", ["Noto Sans TC"]],
])("%s has the lines, weights and forms of its script", (tag, rules) => {
  expect(rules.filter((rule) => !scripts(tag).includes(rule))).toEqual([])
})
test("every size of words takes its lines, weight and tracking from the script", () => {
  const lines = [...css.matchAll(/--text-(h1|h2|title|body|small|caption)--line-height: (.*);/g)]
  expect(lines).toHaveLength(6)
  for (const [, , height] of lines)
    expect(height).toMatch(/^max\(var\(--line-least\), [\d.]+ \* var\(--line-grow\)\)$/)
  expect(css).not.toMatch(/--text-\w+--font-weight: \d|letter-spacing: -|tracking-tight: -/)
})

test("whoever wants stillness, of the system or by the own switch, gets no transition where there was none", () => {
  const wished = css.match(/transition-duration: [^;]+ !important/g)
  expect(wished).toEqual(Array(2).fill("transition-duration: 0s !important"))
})
