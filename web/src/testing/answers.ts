import { vi } from "vitest"
import type { Fields } from "../lib/wire/sign.ts"
import { TestServer } from "../lib/wire/testServer.ts"

export type Said = { code: number; msg: string; data: unknown }

const server = new TestServer(location.origin)

export const done = (data: unknown = {}): Said => ({ code: 200, msg: "Done", data })

/** The other end of the wire says to each call what `say` gives for its path and body; `vi.unstubAllGlobals` ends it. */
export function answerWith(say: (path: string, body: Fields) => Said): void {
  server.nowMs = Date.now() // a file may have taken long to come to this
  server.reply = (body, path) => say(path, body)
  vi.stubGlobal("fetch", (url: string, request: RequestInit) =>
    server.fetch(new URL(url, location.origin).pathname, request),
  )
}
