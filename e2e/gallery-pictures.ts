/** Renews the small pictures of the kit's parts that gallery.test.ts compares with: `make looks`. */
import { mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { PNG } from "pngjs"
import { openBrowser } from "./support/browser.ts"
import { serveGallery } from "./support/gallery.ts"
import { differences, keptLooks, look, openStill, PLACE, THEMES } from "./support/looks.ts"

await mkdir(PLACE, { recursive: true })
const gallery = await serveGallery()
const browser = await openBrowser()
try {
  const { page } = await openStill(browser, gallery.url)
  const found = new Map([...(await look(page, "dark")), ...(await look(page, "light"))])
  // What looks as it did keeps its file, so that a change shows what has changed.
  const kept = new Map(THEMES.flatMap((theme) => [...keptLooks(theme)]))
  const changed = differences(kept, found)
  for (const line of changed) {
    const name = line.slice(0, line.indexOf(": "))
    const picture = found.get(name)
    const file = join(PLACE, `${name}.png`)
    if (picture) await writeFile(file, PNG.sync.write(picture, { colorType: 2, deflateLevel: 9 }))
    else await rm(file)
    process.stdout.write(`${line}\n`)
  }
} finally {
  await browser.close()
  await gallery.close()
}
