import type { Answer, Body, Path } from "../calls.ts"
import { setServerTime } from "../clock.ts"
import { apiOrigin, isSite, toldApi } from "../hosts.ts"
import { Ahead } from "./ahead.ts"
import { Wire } from "./call.ts"
import { keyOfPage } from "./keys.ts"

const metaKeys = () => document.querySelector<HTMLMetaElement>('meta[name="kalos-wire-keys"]')?.content

let origin: string | undefined
const apiOriginOnce = () => {
  origin ??= apiOrigin(location, toldApi(), isSite)
  return origin
}

/** The whole address of what the API has under this path. */
export const atApi = (path: string): string => `${apiOriginOnce()}${path}`

const wire = new Wire({
  fetch: (path, request) => globalThis.fetch(`${apiOriginOnce()}${path}`, request),
  origin: globalThis.location?.origin ?? "",
  key: () => keyOfPage(metaKeys(), Date.now() / 1000),
  nowMs: () => Date.now(),
  heardTime: setServerTime,
})

/** Open the page's channel while its code still loads. */
export const warm = (): void => wire.warm()

type Caller = Parameters<typeof wire.call>[2]
const ahead = new Ahead<Answer<Path>>()
const keyOf = (path: Path, body: object, { token, lang }: Caller) => JSON.stringify([path, body, token, lang])

/** Make a call before anybody has asked for it; whoever asks for the same soon gets this answer. */
export function askAhead<P extends Path>(path: P, body: Body<P>, caller: Caller): Promise<Answer<P>> {
  const answer = wire.call(path, body, caller)
  ahead.put(keyOf(path, body, caller), answer)
  return answer
}

/** Make a call; the page speaks sealed only. */
export function call<P extends Path>(path: P, body: Body<P>, caller: Caller): Promise<Answer<P>> {
  const asked = ahead.take(keyOf(path, body, caller))
  return asked === null ? wire.call(path, body, caller) : (asked as Promise<Answer<P>>)
}
