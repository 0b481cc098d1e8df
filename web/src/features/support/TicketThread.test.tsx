import { act } from "react"
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { queryClient } from "../../lib/queries.ts"
import { startTexts } from "../../lib/texts.ts"
import type { Fields } from "../../lib/wire/sign.ts"
import { answerWith, done } from "../../testing/answers.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { until } from "../../testing/until.ts"
import { TicketThread } from "./TicketThread.tsx"

let stage: Stage
let asked: string[]
let replies: Fields[]
/** Until then no reply arrives. */
let held: Promise<void>

const field = () => stage.get("textarea", "Your message") as HTMLTextAreaElement
const choosePicture = () =>
  act(async () => {
    const input = stage.get("[type=file]")
    Object.defineProperty(input, "files", { value: [new File(["x"], "mine.gif", { type: "image/gif" })] })
    input.dispatchEvent(new Event("change", { bubbles: true }))
  })

beforeAll(startTexts)
beforeEach(async () => {
  asked = []
  replies = []
  held = Promise.resolve()
  answerWith((path, body) => {
    asked.push(path)
    if (path === "/api/support/reply") replies.push(body)
    const messages = [{ id: "1", by: "member", text: "Where is it?", images: [], time: 1 }]
    return done({ subject: "A top-up", state: "open", messages })
  })
  const answers = fetch
  vi.stubGlobal("fetch", async (url: string, request: RequestInit) => {
    if (url.endsWith("/api/support/reply")) await held
    return answers(url, request)
  })
  stage = await show(<TicketThread id="7" />, "/me3")
  await until(() => stage.count("textarea") === 1)
})
afterEach(async () => {
  await stage.leave()
  queryClient.clear()
  vi.unstubAllGlobals()
})

/** How often the thread was asked for. */
const reads = () => asked.filter((path) => path === "/api/support/read").length

test("what was sent leaves the field", async () => {
  await stage.type(field(), "I sent 50.")
  await stage.press(stage.get("button", "Send"))
  await until(() => reads() === 2)
  expect([field().value, replies.map(({ text }) => text)]).toEqual(["", [["I sent 50."]]])
})

test("what is written and chosen while the message before is on its way stays for the next one", async () => {
  let arrive = () => {}
  held = new Promise((done) => {
    arrive = done
  })
  await stage.type(field(), "I sent 50.")
  await stage.press(stage.get("button", "Send"))
  await stage.type(field(), "And one more thing")
  await choosePicture()
  arrive()
  await until(() => reads() === 2)
  expect([field().value, replies.length]).toEqual(["And one more thing", 1])
  expect(stage.text()).toContain("mine.gif")
})
