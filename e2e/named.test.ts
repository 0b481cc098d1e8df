/** What a first screen is made of: its page names all of it, and no more than a phone fetches in two turns. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { newMember } from "./support/people.ts"
import { openScreen } from "./support/screens.ts"
import { useProduct } from "./support/useProduct.ts"

/** Before the first screen: two turns of the six that come at once over HTTP/1.1, and the script that draws the sketch. */
const FILES = 13

const { product, page } = await useProduct()
const { token } = await newMember(product)

for (const path of ["/login", "/home"])
  test(`the code of ${path} is named in its page, and none of it is asked for later`, async () => {
    if (path === "/home") await page.evaluate((own) => localStorage.setItem("kalos.token", own), token)
    await openScreen(page, `${product.url}${path}`)
    const needed = await page.evaluate(scriptsOfFirstPaint)
    const text = await (await fetch(`${product.url}${path}`)).text()
    const named = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, name]) => name)
    assert.ok(needed.length > 2)
    assert.deepEqual(
      needed.filter((name) => !named.includes(name)),
      [],
    )
    assert.ok(new Set(named).size <= FILES, `${new Set(named).size} files before the first screen`)
  })

/** The scripts that the page had when it first showed anything. */
function scriptsOfFirstPaint(): string[] {
  const shown = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0
  return performance
    .getEntriesByType("resource")
    .filter(
      (entry) => entry.name.endsWith(".js") && (entry as PerformanceResourceTiming).responseEnd <= shown,
    )
    .map(({ name }) => new URL(name).pathname)
}
