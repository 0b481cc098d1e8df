import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { crc32 } from "node:zlib"
import { chromium } from "playwright-core"

// `node icons.ts` draws public/icons/*.png from public/icon.svg. They are committed: a build needs no browser.
// Each says in itself of which drawing it is; a test compares that with the icon.svg that is there.

const SVG = readFileSync("public/icon.svg", "utf8")
const INK = "#0a0c10"
/** `part`: how much of the square the drawing takes; below 1 its ground fills the rest, for masks of any shape. */
const ICONS = [
  { name: "icon-192", size: 192, part: 1 },
  { name: "icon-512", size: 512, part: 1 },
  { name: "maskable-192", size: 192, part: 0.8 },
  { name: "maskable-512", size: 512, part: 0.8 },
  { name: "apple-180", size: 180, part: 0.92 },
]

/** The picture with a text chunk that says what it was drawn from, before its end. */
function withSource(png: Buffer, source: string): Buffer {
  const body = Buffer.concat([Buffer.from("tEXt"), Buffer.from(`Source\0${source}`, "latin1")])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(body.length - 4, 0)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  const end = png.length - 12
  return Buffer.concat([png.subarray(0, end), chunk, png.subarray(end)])
}

mkdirSync("public/icons", { recursive: true })
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
})
const page = await browser.newPage()
for (const { name, size, part } of ICONS) {
  const side = Math.round(size * part)
  await page.setViewportSize({ width: size, height: size })
  const ground = part === 1 ? "transparent" : INK
  const drawing = SVG.replace("<svg ", `<svg width="${side}" height="${side}" `)
  await page.setContent(
    `<body style="margin:0;display:grid;place-items:center;height:100vh;background:${ground}">${drawing}`,
  )
  const png = await page.screenshot({ omitBackground: true })
  writeFileSync(`public/icons/${name}.png`, withSource(png, createHash("sha256").update(SVG).digest("hex")))
}
await browser.close()
