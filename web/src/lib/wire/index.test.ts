// @vitest-environment document
import { expect, test, vi } from "vitest"
import { liveAddress } from "../live.ts"
import { call } from "./index.ts"

declare const jsdom: { reconfigure(to: { url: string }): void }

function tell(name: string, content: string): void {
  const meta = document.head.appendChild(document.createElement("meta"))
  meta.name = name
  meta.content = content
}

test("calls and socket go where the page's tags say", async () => {
  jsdom.reconfigure({ url: "https://app.example.com/home" })
  tell("kalos-api", "sibling")
  tell("kalos-live", "wss://live.example.com/ws")
  const fetch = vi.fn(async () => new Response("away", { status: 503 }))
  vi.stubGlobal("fetch", fetch)
  await expect(call("/api/user/info", {}, { token: "", lang: "en" })).rejects.toThrow("503")
  expect(fetch.mock.calls.map((request) => (request as unknown[])[0])).toEqual([
    "https://api.example.com/.well-known/wire-keys",
  ])
  expect([0, 1, 2].map(liveAddress)).toEqual([
    "wss://live.example.com/ws",
    "wss://app.example.com/ws",
    "wss://live.example.com/ws",
  ])
})
