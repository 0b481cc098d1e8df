/** Reads a QR code out of a picture's pixels, as a phone would. */
import jsQR from "jsqr"

// The package is older than ES modules: its function is the default of its default.
type Decode = (pixels: Uint8ClampedArray, width: number, height: number) => { data: string } | null
const decode = jsQR as unknown as Decode & { default?: Decode }

/** The text of the code in a picture of RGBA pixels; null where none is found. */
export function readQr(pixels: Uint8Array, width: number, height: number): string | null {
  return (decode.default ?? decode)(new Uint8ClampedArray(pixels), width, height)?.data ?? null
}
