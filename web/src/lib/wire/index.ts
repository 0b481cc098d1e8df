import type { Answer, Body, Path } from "../calls.ts"
import { Wire } from "./call.ts"
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

/** Make a call; the page speaks sealed only. */
export function call<P extends Path>(
  path: P,
  body: Body<P>,
  caller: { token: string; lang: string },
): Promise<Answer<P>> {
  return wire.call(path, body, caller)
}
