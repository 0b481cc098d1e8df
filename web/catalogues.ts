import { compileMessageOrThrow } from "@lingui/message-utils/compileMessage"

/** One text of one catalogue: what the source says, and what the language makes of it. */
export interface Text {
  file: string
  tag: string
  id: string
  message: string
  translation: string
}

/** A text that is the same in English and in other languages (all, or those named), and why. */
export interface Same {
  text: string
  reason: string
  in?: string[]
}

/** What is wrong with the translations, a sentence each; none where every text stands in every language. */
export function faultsOf(texts: readonly Text[], sames: readonly Same[], source = "en"): string[] {
  const translated = texts.filter(({ tag }) => tag !== source)
  return [
    ...translated.flatMap((text) => faultOf(text, sames).map((fault) => `${where(text)} ${fault}`)),
    ...unlike(texts),
    ...idle(translated, sames),
  ]
}

function faultOf({ tag, message, translation }: Text, sames: readonly Same[]): string[] {
  if (translation.trim() === "") return ["isn't translated"]
  const faults: string[] = []
  if (translation === message && !sames.some((same) => same.text === message && isIn(same, tag)))
    faults.push("is English, without a reason in src/locales/same.json")
  const classes = new Intl.PluralRules(tag).resolvedOptions().pluralCategories
  const [asked, given] = [shapeOf(message, classes), shapeOf(translation)]
  if (asked !== given) faults.push(`has the holes, branches or tags ${given} instead of ${asked}`)
  return faults
}

/** Catalogues are merged when they are loaded: one text mustn't read differently in two of them. */
function unlike(texts: readonly Text[]): string[] {
  const first = new Map<string, Text>()
  return texts.flatMap((text) => {
    const key = `${text.tag} ${text.id}`
    const other = first.get(key)
    if (other === undefined) first.set(key, text)
    return other === undefined || other.translation === text.translation
      ? []
      : [`${where(text)} reads otherwise in ${other.file}: one of the two needs a context`]
  })
}

function idle(texts: readonly Text[], sames: readonly Same[]): string[] {
  return sames.flatMap((same) => {
    if (same.reason.trim() === "") return [`same.json: "${same.text}" has no reason`]
    const used = texts.filter(({ message }) => message === same.text)
    const stale = used.filter(({ tag, translation }) => isIn(same, tag) && translation !== same.text)
    return used.length === 0 || stale.length > 0
      ? [`same.json: "${same.text}" stands there for nothing${stale.length ? ` in ${stale[0]?.tag}` : ""}`]
      : []
  })
}

const isIn = (same: Same, tag: string) => same.in === undefined || same.in.includes(tag)
const where = ({ file, message }: Text) => `${file}: "${message}"`

type Token = string | [name: string, type?: string, detail?: string | Record<string, unknown>]

/** Holes, plural branches and tags of a text, in an order of their own; with `classes` as that language must have them. */
function shapeOf(text: string, classes?: readonly string[]): string {
  try {
    return JSON.stringify([tagsOf(text), holesOf(compileMessageOrThrow(text) as Token[], classes)])
  } catch {
    return "unreadable"
  }
}

function holesOf(tokens: readonly Token[], classes: readonly string[] | undefined): string[] {
  return tokens
    .flatMap((token) => {
      if (token === "#") return ["#"]
      if (typeof token === "string") return []
      const [name, type, detail] = token
      if (typeof detail !== "object") return [[name, type, detail].filter(Boolean).join(" ")]
      return [`${name} ${type} ${JSON.stringify(branchesOf(type, detail, classes))}`]
    })
    .sort()
}

/** Exact branches (`=0`) and those of a selection stay; a language has its own plural classes, each like English's `other`. */
function branchesOf(
  type: string | undefined,
  detail: Record<string, unknown>,
  classes: readonly string[] | undefined,
): [string, unknown][] {
  const plural = type === "plural" || type === "selectordinal"
  const names = Object.keys(detail).filter((name) => name !== "offset")
  const own = plural && classes ? [...names.filter((name) => /^\d+$/.test(name)), ...classes] : names
  return own
    .sort()
    .map((name) => [name, holesOf((detail[name] ?? detail.other) as Token[], classes)] as [string, unknown])
}

function tagsOf(text: string): string[] {
  const open: string[] = []
  const tags = [...text.matchAll(/<(\/?)(\w+)(\/?)>/g)].map(([tag, closing, name = "", empty]) => {
    if (closing) return open.pop() === name ? tag : `${tag} astray`
    if (!empty) open.push(name)
    return tag
  })
  return [...tags, ...open.map((name) => `<${name}> open`)].sort()
}
