import { type Body, call, type Data, failed, Refusal } from "./api.ts"
import type { ErrorName, RefusalData } from "./calls.ts"
import { languageOf } from "./languages.ts"
import { markOnline, suspectOffline } from "./network.ts"
import { warn } from "./notices.ts"
import { getSettings } from "./settings.ts"
import { sha256, toHex } from "./wire/bytes.ts"
import { atApi } from "./wire/index.ts"
import { type PutAnswer, putFile } from "./wire/put.ts"

type Grant = Body<"/api/basic/uploadGrant">

/** `upload_id` is what other calls take; `url` shows the picture for some minutes, null for documents. */
export type Uploaded = Data<"/api/basic/upload">

export interface Options {
  purpose: Grant["purpose"]
  onProgress?: ((part: number) => void) | undefined
  signal?: AbortSignal | undefined
  /** Its screen says what was refused as well: see `call`. */
  quiet?: boolean
  grant?: (body: Grant) => Promise<Data<"/api/basic/uploadGrant">>
}

const DONE = 200
/** A grant is used up by its first try, so each try asks for its own. */
const TRIES = 2

/**
 * Send a picture and return its id. A connection that broke off is tried once more.
 *
 * Raises: Refusal, ServerError; the signal's reason.
 */
export async function upload(file: Blob, options: Options): Promise<Uploaded> {
  const { purpose, onProgress, signal, quiet = false } = options
  const grant = options.grant ?? ((body: Grant) => call("/api/basic/uploadGrant", body, { quiet }))
  const bytes = new Uint8Array(await file.arrayBuffer())
  const asked = { purpose, type: file.type, size: file.size, sha256: toHex(await sha256(bytes)) } as Grant
  const lang = languageOf(getSettings().language).header
  for (let left = TRIES - 1; ; left--) {
    const { path, upload_id } = await grant(asked)
    let answer: PutAnswer
    try {
      answer = await putFile(atApi(`/api/upload/${path}`), file, { lang, onProgress, signal })
    } catch (cause) {
      signal?.throwIfAborted()
      if (left > 0) continue
      suspectOffline()
      const failure = failed(cause)
      if (!quiet) warn(failure.message)
      throw failure
    }
    markOnline()
    // The answer comes unsealed: which file it is, the sealed grant said.
    if (answer.code === DONE) return { ...(answer.data as Uploaded), upload_id }
    warn(answer.msg, { quiet })
    throw new Refusal(answer.code, answer.msg, answer.data as RefusalData<ErrorName>)
  }
}
