/** The wire as it is built for the page, in a real browser: it makes of each shared vector what the server makes. */
import assert from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { after, before, test } from "node:test"
import type { Browser } from "playwright-core"
import { build, type Rolldown } from "vite"
import type * as Wire from "../web/src/lib/wire/vectors.ts"
import { openBrowser, Phone } from "./support/browser.ts"

const CONTRACT = join(import.meta.dirname, "../contract")
const WEB = join(import.meta.dirname, "../web")
const PAGE = "http://localhost/"

let browser: Browser

before(async () => {
  browser = await openBrowser()
})

after(async () => {
  await browser?.close()
})

test("a browser agrees with each of at least 200 vectors, and with the RFC's", async () => {
  const vectors = await readFile(join(CONTRACT, "wire-vectors.json"), "utf8")
  const rfc9180 = await readFile(join(CONTRACT, "rfc9180-vectors.json"), "utf8")
  const { files, entry } = await builtForPage("src/lib/wire/vectors.ts")
  files.set("wire-vectors.json", vectors).set("rfc9180-vectors.json", rfc9180)
  const { context, page } = await Phone.open(browser)
  await context.route(/./, (route) => {
    const body = files.get(new URL(route.request().url()).pathname.slice(1))
    return route.fulfill({
      body: body ?? "<!doctype html>",
      contentType: body ? "text/javascript" : "text/html",
    })
  })
  await page.goto(PAGE)
  const ran = await page.evaluate(async (place) => {
    const { casesOf } = (await import(place)) as typeof Wire
    const read = async (name: string) => await (await fetch(name)).json()
    const cases = casesOf(await read("/wire-vectors.json"), await read("/rfc9180-vectors.json"))
    return await Promise.all(cases.map(async ({ name, run }) => ({ name, outcome: await run() })))
  }, `/${entry}`)
  const named: { name: string }[] = [
    ...Object.values(JSON.parse(vectors) as Wire.Vectors).flat(),
    ...JSON.parse(rfc9180).vectors,
  ]
  assert.ok(named.length >= 200)
  assert.deepEqual(
    ran.map(({ name }) => name),
    named.map(({ name }) => name),
  )
  for (const { name, outcome } of ran) {
    assert.notEqual(outcome.length, 0)
    for (const [made, expected] of outcome) assert.equal(made, expected, name)
  }
})

/** What the page's own build makes of one of its modules; nothing is written. */
async function builtForPage(module: string): Promise<{ files: Map<string, string>; entry: string }> {
  process.chdir(WEB) // where the build's parts look for their settings
  const options = { input: join(WEB, module), preserveEntrySignatures: "strict" as const }
  const { output } = (await build({
    logLevel: "warn",
    build: { write: false, rolldownOptions: options },
  })) as Rolldown.RolldownOutput
  const chunks = output.filter((part) => part.type === "chunk")
  const entry = chunks.find(({ isEntry }) => isEntry)?.fileName ?? ""
  return { files: new Map(chunks.map(({ fileName, code }) => [fileName, code])), entry }
}
