import { fieldOf } from "../lib/deviceTime.ts"
import type { Bulletin } from "./shapes.ts"
import { LANGUAGES } from "./words.ts"

interface Written {
  title: string
  text: string
}

/** A bulletin as its form has it: texts by language, times as a field of the device has them. */
export interface Drafted {
  name: string
  kind: Bulletin["kind"]
  pinned: boolean
  link: string
  from: string
  until: string
  texts: Record<string, Written>
}

const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/

export const isWhole = (one: Written | undefined): boolean =>
  one !== undefined && one.title.trim() !== "" && one.text.trim() !== ""
const isBegun = (one: Written | undefined) =>
  one !== undefined && (one.title.trim() !== "" || one.text.trim() !== "")

export function draftOf(of: Bulletin | undefined): Drafted {
  const texts = (of?.texts ?? []).map(({ lang, title, lines }) => [lang, { title, text: lines.join("\n") }])
  return {
    name: of?.name ?? "",
    kind: of?.kind ?? "notice",
    pinned: of?.pinned ?? false,
    link: of?.link ?? "",
    from: fieldOf(of?.from_at),
    until: fieldOf(of?.until_at),
    texts: Object.fromEntries(texts),
  }
}

/** What is missing, by its field. */
export function faultsOf({
  name,
  kind,
  link,
  texts,
}: Drafted): Partial<Record<"name" | "link" | "texts", string>> {
  const half = Object.entries(LANGUAGES).find(([lang]) => isBegun(texts[lang]) && !isWhole(texts[lang]))
  return {
    ...(NAME.test(name.trim()) ? {} : { name: "Enter a name such as maintenance-1207" }),
    ...(kind === "banner" && link.trim() === "" ? { link: "Enter where the banner leads" } : {}),
    ...(half
      ? { texts: `${half[1]} has a title or a text: write both` }
      : isWhole(texts.en)
        ? {}
        : { texts: "Write the English title and text" }),
  }
}

/** As the wire takes it, which refuses what ends a line: line by line, without empty languages. */
export const textsOf = ({ texts }: Drafted): { lang: string; title: string; lines: string[] }[] =>
  Object.keys(LANGUAGES)
    .filter((lang) => isWhole(texts[lang]))
    .map((lang) => ({
      lang,
      title: texts[lang]?.title.trim() ?? "",
      lines: (texts[lang]?.text.trimEnd() ?? "").split(/\r?\n/),
    }))
