import { WireFailure } from "./call.ts"

/** It comes plain in every mode. */
export interface PutAnswer {
  code: number
  msg: string
  data: unknown
}

export interface Sending {
  lang: string
  /** The part of the file that has gone, from 0 to 1. */
  onProgress?: ((part: number) => void) | undefined
  signal?: AbortSignal | undefined
}

/** The server takes 120 s for a whole file at most, and time to look at it: longer, and the connection is dead. */
const WHOLE_MS = 200_000

/**
 * Put a granted file: without a token and without an envelope, for the path is the right.
 *
 * `fetch` tells nothing of how far it is, so this is an XMLHttpRequest. Raises: WireFailure; the signal's reason.
 */
export function putFile(path: string, file: Blob, { lang, onProgress, signal }: Sending): Promise<PutAnswer> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    const fail = (why: string) => reject(new WireFailure(why))
    request.upload.onprogress = ({ loaded }) => onProgress?.(file.size === 0 ? 1 : loaded / file.size)
    request.onload = () => {
      if (request.status !== 200) return fail(`HTTP ${request.status}`)
      try {
        resolve(JSON.parse(request.responseText) as PutAnswer)
      } catch {
        fail("the answer is no JSON")
      }
    }
    request.onerror = () => fail("the connection broke off")
    request.ontimeout = () => fail("no answer came")
    request.onabort = () => reject(signal?.reason)
    request.onloadend = () => signal?.removeEventListener("abort", stop)
    signal?.addEventListener("abort", stop)
    request.open("PUT", path)
    request.timeout = WHOLE_MS
    request.setRequestHeader("Content-Type", file.type)
    request.setRequestHeader("lang", lang)
    request.send(file)
  })
}
