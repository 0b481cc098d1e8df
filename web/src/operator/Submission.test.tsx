import { Refine } from "@refinedev/core"
import { act } from "react"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { answerWith, done } from "../testing/answers.ts"
import { soon } from "../testing/soon.ts"
import { type Stage, show } from "../testing/stage.tsx"
import { NewCommand } from "./NewCommand.tsx"
import { dataProvider, queryClient } from "./refine.ts"

const PREVIEW = {
  object: "issue of KLS",
  before: { "left of the cap": "10.00000000" },
  after: { "left of the cap": "0.00000000" },
  version: "1",
  signers: 2,
  message: null,
}
const OVER_CAP = { error: "invalid_input", errors: [{ field: "amount", reason: "over_cap" }] }
let stage: Stage

beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }))
})
afterEach(async () => {
  await stage.leave()
  queryClient.clear()
  vi.unstubAllGlobals()
})

test("what a command would do is asked anew at each look, though the same was shown a moment ago", async () => {
  const answers = [done(PREVIEW), { code: 400, msg: "Wrong", data: OVER_CAP }, done(PREVIEW)]
  answerWith((path) => (path.endsWith("/preview") ? (answers.shift() ?? done()) : done({ roles: [] })))
  stage = await show(
    <Refine
      dataProvider={dataProvider}
      options={{ disableTelemetry: true, reactQuery: { clientConfig: queryClient } }}
    >
      <NewCommand onDone={() => undefined} />
    </Refine>,
  )
  const says = (text: string) => soon(() => act(async () => expect(stage.text()).toContain(text)))
  const look = async () => stage.press(stage.get("button", "See what it would do"))
  await stage.press(stage.get("label", "Issue of KLS"))
  await stage.type(stage.get("input", "KLS to issue to the house's stock"), "10")
  await look()
  await says("becomes")
  await stage.press(stage.get("button", "Back"))
  await look()
  await says("Amount: more than the cap leaves")
  expect(stage.text()).not.toContain("becomes")
  await stage.press(stage.get("button", "Back"))
  await look()
  await says("becomes")
  expect(answers).toEqual([])
})
