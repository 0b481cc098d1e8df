// @vitest-environment document
import { beforeEach, expect, test, vi } from "vitest"
import { Refusal, ServerError } from "../lib/api.ts"
import { startTexts } from "../lib/texts.ts"
import { TestServer } from "../lib/wire/testServer.ts"
import { ask } from "./ask.ts"

const server = new TestServer(location.origin)
/** What comes instead of the server's answer. */
let forged: object | null

beforeEach(async () => {
  await startTexts()
  forged = null
  server.forge = (answer, path) => (path.startsWith("/api/operator/") && forged) || answer
  vi.stubGlobal("fetch", (url: string, request: RequestInit) =>
    server.fetch(new URL(url, location.origin).pathname, request),
  )
})

const problemOf = (asked: Promise<unknown>) => asked.catch((problem: unknown) => problem)

test.each([460, 463, 464])(
  "code %i, which anybody on the way can write, is no refusal: what was sent may have arrived",
  async (code) => {
    forged = { code, msg: "Refused", data: null }
    const problem = await problemOf(ask("command/sign"))
    expect(problem).toBeInstanceOf(ServerError)
    expect(problem).toMatchObject({ message: expect.stringContaining("may have arrived") })
  },
)

test("a refusal says the server's sentence, and something where that has none", async () => {
  const said: string[] = []
  for (const msg of ["Not yours", ""]) {
    server.reply = () => ({ code: 422, msg, data: { error: "forbidden" } })
    const problem = await problemOf(ask("command/sign"))
    expect(problem).toBeInstanceOf(Refusal)
    said.push((problem as Refusal).message)
  }
  expect(said).toEqual(["Not yours", "Server error, please try again later"])
})
