import type { Language, LanguageCode } from "../lib/languages.ts"

/** What offers a language to a visitor, said in it: none of its texts are loaded yet. */
const OFFERS: Readonly<Record<Exclude<LanguageCode, "en">, string>> = {
  vn: "Dùng Kalos bằng tiếng Việt",
  th: "ใช้ Kalos เป็นภาษาไทย",
  ja: "Kalos を日本語で使う",
  ko: "Kalos를 한국어로 사용하기",
  zh: "使用简体中文版 Kalos",
  zhTW: "使用繁體中文版 Kalos",
}

/** Comes by itself, for the few who see it: six scripts are a part of the budget of the first screen. */
export default function OfferText({ language }: { language: Language }) {
  if (language.code === "en") return null
  return <span lang={language.tag}>{OFFERS[language.code]}</span>
}
