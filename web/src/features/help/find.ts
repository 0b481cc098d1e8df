/** What is looked through: a question and what answers it, in the reader's language. */
export interface Text {
  question: string
  answer: string
}

/** Those that hold every word, wherever; first the ones whose question holds them all. */
export function find<T extends Text>(texts: readonly T[], words: string): T[] {
  const wanted = fold(words).split(/\s+/).filter(Boolean)
  const holds = (text: string) => wanted.every((word) => fold(text).includes(word))
  const asked = texts.filter(({ question }) => holds(question))
  const said = texts.filter((text) => !asked.includes(text) && holds(`${text.question} ${text.answer}`))
  return [...asked, ...said]
}

/** Without case, accents and width, so that "nap tien" finds "Nạp tiền" and "ＵＳＤＴ" is USDT. */
function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("đ", "d")
}
