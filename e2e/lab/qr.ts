/** Reads a QR code out of a picture's pixels, as a phone would. */
import jsQR from "jsqr"

// The package is older than ES modules: its function is the default of its default.
const decode = jsQR as unknown as { default?: typeof jsQR.default } & typeof jsQR.default

/** The text of the code in a picture of RGBA pixels; null where none is found. */
export function readQr(pixels: Uint8Array, width: number, height: number): string | null {
  return (decode.default ?? decode)(new Uint8ClampedArray(pixels), width, height)?.data ?? null
}
