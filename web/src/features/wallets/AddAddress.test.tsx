import { afterEach, beforeAll, expect, test, vi } from "vitest"
import type { ChainShape } from "../../lib/api.gen.ts"
import { queryClient } from "../../lib/queries.ts"
import { endSession, startSession } from "../../lib/session.ts"
import { startTexts } from "../../lib/texts.ts"
import { answerWith, done } from "../../testing/answers.ts"
import { comeBack } from "../../testing/comeBack.ts"
import { loadSlide, SLIDE_SAID, slide } from "../../testing/slide.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { until } from "../../testing/until.ts"
import { AddAddress } from "./AddAddress.tsx"

const chain = { chain_id: 1, name: "Ethereum", protocol: "ERC-20" } as unknown as ChainShape
const FILLED = {
  Address: "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "Name for it": "My wallet",
  "Withdrawal password": "246810",
  "Code from the authenticator": "492039",
}
let stage: Stage

beforeAll(startTexts)
loadSlide()
afterEach(async () => {
  await stage.leave()
  await endSession()
  await comeBack()
  queryClient.clear()
  vi.unstubAllGlobals()
})

test("an answer that was lost is read out, with what to do", async () => {
  startSession("token")
  answerWith((path) => {
    if (path === "/api/user/bindWallet") throw new TypeError("lost")
    return SLIDE_SAID[path] ?? done({ email: "a@example.com", google_bound: true })
  })
  stage = await show(<AddAddress chain={chain} waitHours={0} known={[]} onDone={() => undefined} />)
  await until(() => stage.count("input") === 4)
  for (const [name, text] of Object.entries(FILLED)) await stage.type(stage.get("input", name), text)
  await stage.press(stage.get("button", "Add this address"))
  await slide(stage)
  await until(() => stage.count("[role=alert]") === 1)
  expect(stage.get("[role=alert]").textContent).toMatch(/^No answer came. Add it again/)
})
