/** Renews the small pictures of the kit's parts that gallery.test.ts and overlays.test.ts compare with: `make looks`. */
import { mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { PNG } from "pngjs"
import { openBrowser } from "./support/browser.ts"
import { serveGallery } from "./support/gallery.ts"
import {
  differences,
  keptLooks,
  type Looks,
  look,
  OPENED,
  openStill,
  PLACE,
  THEMES,
} from "./support/looks.ts"
import { lookAtOpened } from "./support/opened.ts"

await mkdir(OPENED, { recursive: true })
const gallery = await serveGallery()
const browser = await openBrowser()
try {
  const { page } = await openStill(browser, gallery.url)
  await renew(PLACE, new Map([...(await look(page, "dark")), ...(await look(page, "light"))]))
  await renew(OPENED, await lookAtOpened((await openStill(browser, gallery.url)).page))
} finally {
  await browser.close()
  await gallery.close()
}

/** Keep what looks otherwise than before. What looks as it did keeps its file, so that a change shows what has changed. */
async function renew(place: string, found: Looks): Promise<void> {
  const kept = new Map(THEMES.flatMap((theme) => [...keptLooks(theme, place)]))
  for (const line of differences(kept, found)) {
    const name = line.slice(0, line.indexOf(": "))
    const picture = found.get(name)
    const file = join(place, `${name}.png`)
    if (picture) await writeFile(file, PNG.sync.write(picture, { colorType: 2, deflateLevel: 9 }))
    else await rm(file)
    process.stdout.write(`${line}\n`)
  }
}
