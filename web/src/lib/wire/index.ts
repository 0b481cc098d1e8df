import { type Answer, Wire } from "./call.ts"
import { keyOfPage } from "./keys.ts"

const metaKeys = () => document.querySelector<HTMLMetaElement>('meta[name="kalos-wire-keys"]')?.content

const wire = new Wire({
  fetch: (...request) => globalThis.fetch(...request),
  origin: globalThis.location?.origin ?? "",
  key: () => keyOfPage(metaKeys(), Date.now() / 1000),
  nowMs: () => Date.now(),
})

/** Open the page's channel while its code still loads. */
export const warm = (): void => wire.warm()

/** Make a call; the page speaks sealed only. `path` starts with a slash. */
export function call(path: string, body: object, caller: { token: string; lang: string }): Promise<Answer> {
  return wire.call(path, body, caller)
}

export type { Answer } from "./call.ts"
