import { saveFile, shareFile } from "./sharing.ts"

const QUIET = 4
const EDGE = 10

export interface QrCode {
  /** Modules along one edge, the four quiet ones at each side included. */
  size: number
  /** The dark modules as path data, one unit each. */
  path: string
}

/** The QR code of a text; its encoder is loaded when the first one is wanted. */
export async function qrOf(text: string): Promise<QrCode> {
  const { encode } = await import("uqr")
  const { data, size } = encode(text, { ecc: "M", border: QUIET })
  const path = data.flatMap((line, y) => line.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("")
  return { size, path }
}

/** Save the QR code of a text as a picture, dark on white; a phone offers where to put it. */
export async function saveQr(text: string, name: string): Promise<void> {
  const { size, path } = await qrOf(text)
  const canvas = Object.assign(document.createElement("canvas"), { width: size * EDGE, height: size * EDGE })
  const pen = canvas.getContext("2d")
  if (!pen) throw new Error("no canvas")
  pen.scale(EDGE, EDGE)
  pen.fillStyle = "white"
  pen.fillRect(0, 0, size, size)
  pen.fillStyle = "black"
  pen.fill(new Path2D(path))
  const picture = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"))
  if (!picture) throw new Error("no picture")
  const file = new File([picture], `${name}.png`, { type: "image/png" })
  shareFile(file, () => saveFile(file))
}
