import { useState } from "react"
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { startTexts } from "../../lib/texts.ts"
import { TestServer } from "../../lib/wire/testServer.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { until } from "../../testing/until.ts"
import { HashForm } from "./HashForm.tsx"

const server = new TestServer(location.origin)
const HASH = "ab".repeat(32)
const SHAPE = "A transaction hash has 64 characters of 0–9 and a–f"
let stage: Stage
let sent: number
let said: { code: number; msg: string; data: object }

function Form() {
  const [text, setText] = useState("")
  const [done, setDone] = useState(false)
  return done ? <p>done</p> : <HashForm text={text} onType={setText} onDone={() => setDone(true)} />
}

beforeAll(startTexts)
beforeEach(async () => {
  sent = 0
  said = { code: 200, msg: "Done", data: {} }
  vi.stubGlobal("fetch", async (url: string, request: RequestInit) => {
    const { pathname } = new URL(url, location.origin)
    if (pathname.endsWith("/recharge")) sent++
    server.reply = () => said
    return server.fetch(pathname, request)
  })
  stage = await show(<Form />)
})
afterEach(async () => {
  await stage.leave()
  vi.unstubAllGlobals()
})

test("the button is alive: pressed too early it says at the field what is missing, and sends nothing", async () => {
  const [field, button] = [stage.get("input"), stage.get("button", "Submit hash")]
  expect([button.hasAttribute("disabled"), stage.text().includes(SHAPE)]).toEqual([false, false])
  await stage.press(button)
  expect([stage.text().includes(SHAPE), document.activeElement, sent]).toEqual([true, field, 0])
  await stage.type(field, "ab12")
  expect(stage.text()).not.toContain(SHAPE)
  await stage.press(button)
  expect([stage.text().includes(SHAPE), sent]).toEqual([true, 0])
  await stage.type(field, HASH)
  await stage.press(button)
  await until(() => stage.text().includes("done"))
  expect(sent).toBe(1)
})

test("a hash that the chain doesn't hold is read out, and told at the field", async () => {
  said = { code: 422, msg: "submit failed", data: { error: "submit_failed" } }
  await stage.type(stage.get("input"), HASH)
  await stage.press(stage.get("button", "Submit hash"))
  await until(() => stage.count("[role=alert]") === 1)
  const told = "submit failed. No block holds it yet. Wait a moment and try again."
  expect(stage.get("[role=alert]").textContent).toBe(told)
  expect(document.getElementById(`${stage.get("input").id}-note`)?.textContent).toBe(told)
})
