import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"

interface Icon {
  src: string
  sizes: string
  purpose?: string
}
const manifest = JSON.parse(readFileSync("public/manifest.webmanifest", "utf8")) as {
  icons: Icon[]
} & Record<string, unknown>
const drawings = manifest.icons.filter(({ src }) => src.endsWith(".png"))
const drawn = createHash("sha256").update(readFileSync("public/icon.svg")).digest("hex")

test("it says what a device needs to install it", () => {
  expect(manifest).toMatchObject({
    id: "/",
    start_url: "/home",
    scope: "/",
    display: "standalone",
    name: "Kalos",
  })
  for (const purpose of [undefined, "maskable"])
    expect(drawings.filter((icon) => icon.purpose === purpose).map(({ sizes }) => sizes)).toEqual([
      "192x192",
      "512x512",
    ])
  expect(readFileSync("index.html", "utf8")).toContain('<link rel="manifest" href="/manifest.webmanifest" />')
})

test.each([...drawings, { src: "/icons/apple-180.png", sizes: "180x180" }])(
  "$src has its size and is drawn from the present icon.svg (node icons.ts)",
  ({ src, sizes }) => {
    const png = readFileSync(`public${src}`)
    expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(sizes)
    expect(png.toString("latin1")).toContain(`Source\0${drawn}`)
  },
)
