const BYTES = 18

/** A fresh request id: made once for each review of a money call, so that sending it again can't pay twice. */
export function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES))
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
}
