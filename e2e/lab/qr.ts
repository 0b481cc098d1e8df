/** Reads a QR code out of a picture's pixels, as a phone would. */
import jsQR from "jsqr"
import type { Page } from "playwright-core"

// The package is older than ES modules: its function is the default of its default.
type Decode = (pixels: Uint8ClampedArray, width: number, height: number) => { data: string } | null
const decode = jsQR as unknown as Decode & { default?: Decode }

/** The text of the code in a picture of RGBA pixels; null where none is found. */
export function readQr(pixels: Uint8Array, width: number, height: number): string | null {
  return (decode.default ?? decode)(new Uint8ClampedArray(pixels), width, height)?.data ?? null
}

/** The text of the code in a picture that the page can load, drawn on white and as wide as high. */
export async function readQrAt(page: Page, src: string, side = 480): Promise<string | null> {
  const pixels = await page.evaluate(
    async ({ src, side }) => {
      const image = Object.assign(new Image(), { src })
      await image.decode()
      const canvas = Object.assign(document.createElement("canvas"), { width: side, height: side })
      const pen = canvas.getContext("2d")
      if (!pen) throw new Error("no canvas")
      pen.imageSmoothingEnabled = false
      pen.fillStyle = "white"
      pen.fillRect(0, 0, side, side)
      const margin = side / 10
      pen.drawImage(image, margin, margin, side - 2 * margin, side - 2 * margin)
      // A text of base64 comes over at once, a list of as many numbers within a minute.
      const { data } = pen.getImageData(0, 0, side, side)
      const lines = Array.from({ length: side }, (_, row) =>
        String.fromCharCode(...data.subarray(row * side * 4, (row + 1) * side * 4)),
      )
      return btoa(lines.join(""))
    },
    { src, side },
  )
  return readQr(Buffer.from(pixels, "base64"), side, side)
}

/** The text of the code that the page's one SVG of this name draws. */
export async function readShownQr(page: Page, name: string): Promise<string | null> {
  const drawn = await page.getByRole("img", { name, exact: true }).evaluate((svg) => {
    const copy = svg.cloneNode(true) as SVGElement
    for (const side of ["width", "height"]) copy.setAttribute(side, "480")
    return new XMLSerializer().serializeToString(copy)
  })
  return await readQrAt(page, `data:image/svg+xml,${encodeURIComponent(drawn)}`)
}
