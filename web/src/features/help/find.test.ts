// @vitest-environment document
import { expect, it, test, vi } from "vitest"
import { ANSWERS } from "./answers.ts"
import { find } from "./find.ts"
import { validateHelp } from "./search.ts"

const TEXTS = [
  { question: "How do I top up?", answer: "Send USDT to your own address." },
  { question: "Làm sao để nạp tiền?", answer: "Gửi USDT đến địa chỉ của bạn." },
  { question: "残高を隠すには？", answer: "ホームの目のボタンを押します。" },
  { question: "Where is my address?", answer: "Open Top up." },
]

it.each([
  ["top up", [0, 3]],
  ["TOP", [0, 3]],
  ["address", [3, 0]],
  ["usdt own", [0]],
  ["nap tien", [1]],
  ["dia chi", [1]],
  ["ＵＳＤＴ", [0, 1]],
  ["残高", [2]],
  ["withdraw", []],
  ["", [0, 1, 2, 3]],
])("%s finds %j", (words, found) => {
  expect(find(TEXTS, words)).toEqual(found.map((index) => TEXTS[index]))
})

it.each(["withdraw", "real app", "top up"])("our own answers say something about %s", (words) => {
  const texts = ANSWERS.map(({ question, answer }) => ({
    question: question.message ?? "",
    answer: answer.message ?? "",
  }))
  expect(find(texts, words)).not.toEqual([])
})

test("a demo's answers send nobody's real coins there and vouch for no block", async () => {
  const said = (list: typeof ANSWERS) => list.map(({ answer }) => answer.message).join("\n")
  const real = /from your (own )?wallet|Nobody here chooses the block/g
  expect(said(ANSWERS).match(real)).toHaveLength(3)
  document.head.innerHTML = '<meta name="kalos-mode" content="demo">'
  vi.resetModules()
  const demo = said((await import("./answers.ts")).ANSWERS)
  document.head.innerHTML = ""
  expect(demo.match(real)).toBeNull()
  expect(demo).toContain("Never send real coins here")
})

test("the address keeps a topic that exists and the words, nothing else", () => {
  expect(validateHelp({ topic: "games", q: 10, x: "y" })).toEqual({ topic: "games", q: "10" })
  expect(validateHelp({ topic: "otc", q: "" })).toEqual({})
  expect(validateHelp({ q: "a".repeat(500) }).q).toHaveLength(80)
})
