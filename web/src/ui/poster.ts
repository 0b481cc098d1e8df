import { qrOf } from "./qrCode.ts"
import { mixed } from "./seeded.ts"

export const DESIGNS = ["night", "day", "iris"] as const
export type Design = (typeof DESIGNS)[number]

/** What a poster says, in the member's language; its artwork follows from `seed`. */
export interface PosterWords {
  seed: string
  link: string
  headline: string
  note: string
  codeLabel: string
  code: string
}

export const WIDTH = 1080
export const HEIGHT = 1440

interface Paint {
  ground: string
  text: string
  quiet: string
  cells: readonly [string, string, string]
}

// A poster leaves the page, so it has the colours of its design and not those of the theme.
const PAINTS: Record<Design, Paint> = {
  night: { ground: "#12151b", text: "#f2f4f7", quiet: "#aeb6c2", cells: ["#242a34", "#2b323d", "#6a5af9"] },
  day: { ground: "#f5f5f1", text: "#13151a", quiet: "#454c57", cells: ["#e2e2da", "#d9d9d0", "#4a3ad9"] },
  iris: { ground: "#4a3ad9", text: "#ffffff", quiet: "#dcd8ff", cells: ["#5646e3", "#6a5af9", "#e3c07a"] },
}
const SANS = '"Geist Variable", system-ui, sans-serif'
const MONO = '"Geist Mono Variable", ui-monospace, monospace'
const EDGE = 80
const CELL = 90
const ROWS = 7
const QR = 396

/** Draw one design; the fonts of the page are waited for. */
export async function drawPoster(design: Design, words: PosterWords): Promise<HTMLCanvasElement> {
  const [qr] = await Promise.all([qrOf(words.link), document.fonts.ready])
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH, height: HEIGHT })
  const pen = canvas.getContext("2d")
  if (!pen) throw new Error("no canvas")
  const paint = PAINTS[design]
  pen.fillStyle = paint.ground
  pen.fillRect(0, 0, WIDTH, HEIGHT)
  drawCells(pen, paint, words.seed)
  pen.fillStyle = paint.text
  pen.font = `650 52px ${SANS}`
  pen.fillText("Kalos", EDGE, 132)
  const lines = fitted(pen, words.headline, WIDTH - 2 * EDGE)
  const size = Number.parseInt(pen.font.slice(4), 10)
  const bottom = HEIGHT - EDGE - QR - 90
  lines.forEach((line, index) => {
    pen.fillText(line, EDGE, bottom - (lines.length - 1 - index) * size * 1.3)
  })
  drawFoot(pen, paint, words)
  const corner = { x: WIDTH - EDGE - QR, y: HEIGHT - EDGE - QR }
  pen.fillStyle = "#ffffff"
  pen.beginPath()
  pen.roundRect(corner.x, corner.y, QR, QR, 28)
  pen.fill()
  // Whole pixels a module: a decoder meets no grey edges.
  const scale = Math.floor(QR / qr.size)
  const inset = (QR - scale * qr.size) >> 1
  pen.save()
  pen.translate(corner.x + inset, corner.y + inset)
  pen.scale(scale, scale)
  pen.fillStyle = "#0a0c10"
  pen.fill(new Path2D(qr.path))
  pen.restore()
  return canvas
}

/** The code, and what the poster leads to, at the left of the QR code. */
function drawFoot(pen: CanvasRenderingContext2D, paint: Paint, words: PosterWords): void {
  const width = WIDTH - 3 * EDGE - QR + 30
  const top = HEIGHT - EDGE - QR
  pen.fillStyle = paint.quiet
  pen.font = `450 34px ${SANS}`
  wrapped(pen, words.note, width).forEach((line, index) => {
    pen.fillText(line, EDGE, top + 40 + index * 46)
  })
  pen.fillText(words.codeLabel, EDGE, HEIGHT - EDGE - 96, width)
  pen.fillStyle = paint.text
  pen.font = `600 72px ${MONO}`
  pen.fillText(words.code, EDGE, HEIGHT - EDGE - 8, width)
}

/** Cells that fade away from the upper right corner, the same for the same account. */
function drawCells(pen: CanvasRenderingContext2D, paint: Paint, seed: string): void {
  for (let row = 0; row < ROWS; row++)
    for (let column = 0; column * CELL < WIDTH; column++) {
      const value = mixed(`${seed} ${column} ${row}`) % 16
      const near = 1 - Math.hypot(WIDTH - (column + 0.5) * CELL, (row + 0.5) * CELL) / (WIDTH * 0.8)
      if (value < 5 || near <= 0) continue
      pen.globalAlpha = Math.min(1, near * 1.6)
      pen.fillStyle = paint.cells[value >= 14 ? 2 : value % 2 === 0 ? 1 : 0]
      pen.beginPath()
      pen.roundRect(column * CELL + 6, row * CELL + 6, CELL - 12, CELL - 12, 18)
      pen.fill()
    }
  pen.globalAlpha = 1
}

/** The lines of a headline in the largest size in which they are at most three; the pen has that size then. */
function fitted(pen: CanvasRenderingContext2D, text: string, width: number): string[] {
  for (let size = 96; ; size -= 8) {
    pen.font = `650 ${size}px ${SANS}`
    const lines = wrapped(pen, text, width)
    if (lines.length <= 3 || size <= 56) return lines
  }
}

/** Break a text at its words, as its language has them. */
function wrapped(pen: CanvasRenderingContext2D, text: string, width: number): string[] {
  const words = new Intl.Segmenter(document.documentElement.lang, { granularity: "word" }).segment(text)
  const lines = [""]
  for (const { segment, isWordLike } of words) {
    const last = lines.at(-1) ?? ""
    // A stop never begins a line.
    if (isWordLike && last !== "" && pen.measureText(last + segment).width > width) lines.push(segment)
    else lines[lines.length - 1] = last + segment
  }
  return lines.map((line) => line.trim())
}
