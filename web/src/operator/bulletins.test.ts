import { expect, it, test } from "vitest"
import { fieldOf, timeOf } from "../lib/deviceTime.ts"
import { draftOf, faultsOf, textsOf } from "./bulletins.ts"

const DAY = 1_795_075_231_456
const english = { title: "A calm night", text: "On Monday\nwe rest." }
const whole = { ...draftOf(undefined), name: "calm-1207", texts: { en: english } }

it.each([DAY, DAY + 1, 0])("a time that nobody touched stays %s", (time) =>
  expect(timeOf(fieldOf(time), time)).toBe(time),
)

test("another time is that minute, none is none", () => {
  expect(timeOf(fieldOf(DAY), null)).toBe(DAY - (DAY % 60_000))
  expect([timeOf("", DAY), fieldOf(null), fieldOf(undefined)]).toEqual([null, "", ""])
})

it.each([
  [{}, {}],
  [{ name: "Calm night" }, { name: expect.anything() }],
  [{ kind: "banner" as const }, { link: expect.anything() }],
  [{ kind: "banner" as const, link: "/help" }, {}],
  [{ texts: {} }, { texts: "Write the English title and text" }],
  [
    { texts: { en: english, th: { title: "x", text: " " } } },
    { texts: "Thai has a title or a text: write both" },
  ],
])("with %j it lacks %j", (part, faults) => expect(faultsOf({ ...whole, ...part })).toEqual(faults))

test("texts go line by line, English first, without languages that nobody wrote", () => {
  const texts = { th: { title: "a ", text: "b\r\nc\n" }, vi: { title: "", text: " " }, en: english }
  expect(textsOf({ ...whole, texts })).toEqual([
    { lang: "en", title: "A calm night", lines: ["On Monday", "we rest."] },
    { lang: "th", title: "a", lines: ["b", "c"] },
  ])
})

test("what comes from the server goes back the same", () => {
  const texts = [{ lang: "en" as const, title: "A", lines: ["b", "", "c"] }]
  const of = { id: "1", name: "n", kind: "news" as const, state: "shown" as const, pinned: true, link: null }
  const whole = { ...of, picture: null, from_at: DAY, until_at: null, changed_at: DAY, texts }
  expect(textsOf(draftOf(whole))).toEqual(texts)
})
