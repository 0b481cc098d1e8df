// @vitest-environment document
import { i18n } from "@lingui/core"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { Refusal, ServerError } from "./api.ts"
import { upload } from "./upload.ts"

/** The browser's request, as far as a PUT needs it; `answers` says what happens to each. */
class Request {
  static sent: Request[] = []
  static answers: ((request: Request) => void)[] = []
  readonly upload: { onprogress?: (event: { loaded: number }) => void } = {}
  readonly headers: Record<string, string> = {}
  method = ""
  path = ""
  status = 0
  responseText = ""
  body: Blob | null = null
  onload?: () => void
  onerror?: () => void
  onabort?: () => void
  onloadend?: () => void

  open(method: string, path: string): void {
    this.method = method
    this.path = path
  }
  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value
  }
  send(body: Blob): void {
    this.body = body
    Request.sent.push(this)
    queueMicrotask(() => Request.answers.shift()?.(this))
  }
  abort(): void {
    this.onabort?.()
    this.onloadend?.()
  }
  answer(status: number, text: string): void {
    this.status = status
    this.responseText = text
    this.onload?.()
    this.onloadend?.()
  }
}

const FILE = new File([new Uint8Array([1, 2, 3, 4])], "cat.png", { type: "image/png" })
const HASH = "9f64a747e1b97f131fabb6b447296c9b6f0201e79fb3c5356e6c77e89b6a806a"
const KEPT = { upload_id: "u", url: "/api/upload/u.1.x" }
const done = (request: Request) => request.answer(200, JSON.stringify({ code: 200, msg: "Done", data: KEPT }))
const broken = (request: Request) => request.onerror?.()

i18n.loadAndActivate({ locale: "en", messages: {} })

let grants: object[] = []
const grant = async (body: object) => {
  grants.push(body)
  return { path: `right-${grants.length}`, upload_id: "u", expires_at: 1 }
}
const options = { purpose: "picture", quiet: true, grant } as const

beforeEach(() => {
  grants = []
  Request.sent = []
  Request.answers = []
  vi.stubGlobal("XMLHttpRequest", Request)
  vi.stubGlobal("fetch", async () => Response.json({}))
})
afterEach(() => vi.unstubAllGlobals())

test("asks for the right to put this very file and puts it", async () => {
  Request.answers = [done]
  expect(await upload(FILE, options)).toEqual(KEPT)
  expect(grants).toEqual([{ purpose: "picture", type: "image/png", size: 4, sha256: HASH }])
  const [request] = Request.sent
  expect([request?.method, request?.path, request?.body]).toEqual([
    "PUT",
    `${location.origin}/api/upload/right-1`,
    FILE,
  ])
  expect(request?.headers).toEqual({ "Content-Type": "image/png", lang: "en" })
})

test("the file is the granted one, whatever a plain answer calls it", async () => {
  const other = { ...KEPT, upload_id: "another" }
  Request.answers = [(request) => request.answer(200, JSON.stringify({ code: 200, msg: "", data: other }))]
  expect(await upload(FILE, options)).toEqual(KEPT)
})

test("tells how far it is", async () => {
  const parts: number[] = []
  Request.answers = [
    (request) => {
      request.upload.onprogress?.({ loaded: 1 })
      request.upload.onprogress?.({ loaded: 4 })
      done(request)
    },
  ]
  await upload(FILE, { ...options, onProgress: (part) => parts.push(part) })
  expect(parts).toEqual([0.25, 1])
})

test("a connection that broke off is tried once more, with a right of its own", async () => {
  Request.answers = [broken, done]
  expect(await upload(FILE, options)).toEqual(KEPT)
  expect(Request.sent.map(({ path }) => path.split("/").at(-1))).toEqual(["right-1", "right-2"])
})

test.each([
  ["broken twice", [broken, broken], 2],
  ["an HTTP error", [(r: Request) => r.answer(503, ""), (r: Request) => r.answer(413, "")], 2],
  ["no JSON", [(r: Request) => r.answer(200, "<html>"), (r: Request) => r.answer(200, "")], 2],
])("%s ends as an error of the server", async (_, answers, tries) => {
  Request.answers = answers
  await expect(upload(FILE, options)).rejects.toBeInstanceOf(ServerError)
  expect(Request.sent.length).toBe(tries)
})

test("a refusal is said and not tried again", async () => {
  const errors = [{ field: "file", reason: "image" }]
  const refused = {
    code: 400,
    msg: "Please check the marked fields",
    data: { error: "invalid_input", errors },
  }
  Request.answers = [(request) => request.answer(200, JSON.stringify(refused))]
  const failure = await upload(FILE, options).catch((cause: unknown) => cause)
  expect(failure).toBeInstanceOf(Refusal)
  expect((failure as Refusal).dataOf("invalid_input")?.errors).toEqual(errors)
  expect(Request.sent.length).toBe(1)
})

test("what is broken off by hand ends with its reason, at once and later", async () => {
  const early = AbortSignal.abort("left")
  await expect(upload(FILE, { ...options, signal: early })).rejects.toBe("left")
  expect(Request.sent).toEqual([])
  const control = new AbortController()
  Request.answers = [() => control.abort("left later")]
  await expect(upload(FILE, { ...options, signal: control.signal })).rejects.toBe("left later")
  expect(Request.sent.length).toBe(1)
})
