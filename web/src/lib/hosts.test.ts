// @vitest-environment document
import { afterEach, expect, test } from "vitest"
import { apiOrigin, isSite, type Place, socketUrl } from "./hosts.ts"

// jsdom keeps cookies by the list of public suffixes, as browsers do.
declare const jsdom: { reconfigure(to: { url: string }): void }

const here = location.href
afterEach(() => jsdom.reconfigure({ url: here }))

function at(url: string): Place {
  jsdom.reconfigure({ url })
  return location
}

const SIBLING = "sibling"

test.each([
  ["https://app.example.com/", "https://api.example.com", "wss://ws.example.com/ws"],
  ["https://www.app.example.com/", "https://api.app.example.com", "wss://ws.app.example.com/ws"],
  ["https://app.example.co.uk/", "https://api.example.co.uk", "wss://ws.example.co.uk/ws"],
  ["https://app.kalos.vn/", "https://api.kalos.vn", "wss://ws.kalos.vn/ws"],
  ["https://app.kalos.com.vn/", "https://api.kalos.com.vn", "wss://ws.kalos.com.vn/ws"],
  [
    "https://app.kalos.city.kawasaki.jp/",
    "https://api.kalos.city.kawasaki.jp",
    "wss://ws.kalos.city.kawasaki.jp/ws",
  ],
  ["https://m.kalos.github.io/", "https://api.kalos.github.io", "wss://ws.kalos.github.io/ws"],
  ["https://app.xn--mnchen-3ya.de/", "https://api.xn--mnchen-3ya.de", "wss://ws.xn--mnchen-3ya.de/ws"],
  ["http://app.example.com:8443/", "http://api.example.com:8443", "ws://ws.example.com:8443/ws"],
  ["https://api.example.com/", "https://api.example.com", "wss://ws.example.com/ws"],
])("of %s the first label is replaced", (url, api, socket) => {
  expect(apiOrigin(at(url), SIBLING, isSite)).toBe(api)
  expect(socketUrl(location, "", isSite)).toBe(socket)
  expect(document.cookie).toBe("")
})

test.each([
  "https://example.com/",
  "https://example.co.uk/",
  "https://kalos.com.vn/",
  "https://kalos.co.jp/",
  "https://kalos.github.io/",
  "https://kalos.pages.dev/",
  "https://kalos.saiwai.kawasaki.jp/",
  "https://co.uk/",
  "https://kalos/",
  "https://com/",
  "http://localhost:8000/",
  "http://kalos.localhost:8000/",
  "http://app.kalos.localhost:8000/",
  "http://127.0.0.1:8000/",
  "https://203.0.113.7/",
  "http://[::1]:8000/",
  "https://[2001:db8::7]/",
  "https://app.example.com./",
])("%s has no sibling in its own domain: all is on the page's origin", (url) => {
  const { protocol, host, origin } = at(url)
  expect(apiOrigin(location, SIBLING, isSite)).toBe(origin)
  expect(socketUrl(location, "", isSite)).toBe(`${protocol === "https:" ? "wss" : "ws"}://${host}/ws`)
})

test("calls go to the page's own origin where nothing else is told", () => {
  for (const url of ["https://app.example.com/", "http://localhost:8000/"])
    expect(apiOrigin(at(url), "", () => expect.unreachable())).toBe(new URL(url).origin)
})

test.each([
  ["https://app.example.com/", "https://rpc.example.com/some/where", "https://rpc.example.com"],
  ["https://app.example.com/", "https://example.com", "https://example.com"],
  ["https://app.example.com/", "https://a.b.example.com:8443", "https://a.b.example.com:8443"],
  ["https://example.co.uk/", "https://api.example.co.uk", "https://api.example.co.uk"],
  ["https://kalos.github.io/", "https://api.kalos.github.io", "https://api.kalos.github.io"],
  ["https://kalos/", "https://kalos:8443", "https://kalos:8443"],
  ["http://localhost:5173/", "http://localhost:8000", "http://localhost:8000"],
  ["http://127.0.0.1:5173/", "http://127.0.0.1:8000", "http://127.0.0.1:8000"],
])("the page at %s may be told %s", (url, told, api) => {
  expect(apiOrigin(at(url), told, isSite)).toBe(api)
  const socket = told.replace("http", "ws").replace(/\/$/, "")
  expect(socketUrl(location, socket, isSite)).toBe(new URL(socket).href)
})

test.each([
  ["https://app.example.com/", "https://evil.example"],
  ["https://app.example.com/", "https://api.example.com.evil.example"],
  ["https://app.example.com/", "https://notexample.com"],
  ["https://app.example.com/", "https://example.com@evil.example"],
  ["https://app.example.com/", "http://api.example.com"],
  ["https://app.example.com/", "http://app.example.com"],
  ["https://app.example.com/", "javascript:alert(1)"],
  ["https://app.example.com/", "//api.example.com"],
  ["https://app.example.com/", "api.example.com"],
  ["https://example.co.uk/", "https://api.co.uk"],
  ["https://kalos.github.io/", "https://other.github.io"],
  ["https://kalos/", "https://api.kalos"],
  ["http://localhost:8000/", "http://api.localhost"],
  ["http://127.0.0.1:8000/", "http://1.127.0.0.1"],
  ["http://127.0.0.1:8000/", "http://10.0.0.1"],
])("the page at %s does not go to %s", (url, told) => {
  expect(apiOrigin(at(url), told, isSite)).toBe(location.origin)
  const beside = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`
  expect(socketUrl(location, told.replace("http", "ws"), isSite)).toBe(beside)
})

test("each has its own scheme", () => {
  expect(apiOrigin(at("https://app.example.com/"), "wss://api.example.com", isSite)).toBe(location.origin)
  expect(socketUrl(location, "https://ws.example.com/ws", isSite)).toBe("wss://app.example.com/ws")
  expect(apiOrigin(at("http://app.example.com/"), "https://api.example.com", isSite)).toBe(
    "https://api.example.com",
  )
})

test("a browser without cookies stays on the page's origin", () => {
  const refuses = () => false
  expect(apiOrigin(at("https://app.example.com/"), SIBLING, refuses)).toBe("https://app.example.com")
  expect(socketUrl(location, "wss://ws.example.com/ws", refuses)).toBe("wss://app.example.com/ws")
})

test("a cookie that another page left does not pass for an answer", () => {
  at("https://app.github.io/")
  const leave = (seconds: number) => {
    // biome-ignore lint/suspicious/noDocumentCookie: as the page's own
    document.cookie = `kalos-site=1; Path=/; Max-Age=${seconds}`
  }
  leave(60)
  expect(isSite("github.io")).toBe(false)
  leave(0)
})
