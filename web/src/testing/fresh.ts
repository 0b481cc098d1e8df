import { focusManager } from "@tanstack/react-query"
import { expect, vi } from "vitest"
import { builtinEnvironments } from "vitest/runtime"

/**
 * Let a test file find what a process's first one finds: our modules and those inlined not run yet, a document with
 * stores and an address of its own, nothing stubbed, no timer of another file. Other packages run once for all files.
 * Returns what ends it; that throws where something would reach the next file.
 */
export async function begin({ hasDocument }: { hasDocument: boolean }): Promise<() => Promise<void>> {
  vi.resetModules()
  const made = hasDocument ? await builtinEnvironments.jsdom.setup(globalThis, {}) : undefined
  const found = Object.getOwnPropertyDescriptors(globalThis) as Globals
  const timers = new Set<NodeJS.Timeout>()
  const work = noteCrypto()
  globalThis.setTimeout = noting(timers, globalThis.setTimeout)
  globalThis.setInterval = noting(timers, globalThis.setInterval)
  return async () => {
    vi.useRealTimers()
    await work.end()
    vi.unstubAllGlobals()
    vi.unstubAllEnvs()
    for (const timer of timers) clearTimeout(timer)
    const names = new Set([...Object.keys(found), ...Object.getOwnPropertyNames(globalThis)])
    const stays = [...names].filter((name) => !restore(name, found[name]))
    await made?.teardown(globalThis)
    expect(stays, "globals that can't be put back").toEqual([])
    // It would go on listening to this document, and to no later one.
    expect(focusManager.hasListeners(), "a query client is still mounted").toBe(false)
  }
}

/**
 * Note what a file has keys do. They work beside this thread: a call that nobody waits for would be sealed, and sent, in
 * the next file.
 */
function noteCrypto(): { end: () => Promise<void> } {
  const open = new Set<Promise<unknown>>()
  const methods = SubtleCrypto.prototype as unknown as Record<
    string,
    (...given: unknown[]) => Promise<unknown>
  >
  const were = Object.entries(Object.getOwnPropertyDescriptors(methods)).filter(
    ([name, { value }]) => name !== "constructor" && typeof value === "function",
  )
  for (const [name, { value }] of were)
    methods[name] = function (this: unknown, ...given: unknown[]) {
      const done = value.apply(this, given) as Promise<unknown>
      open.add(done)
      void done.catch(() => undefined).finally(() => open.delete(done))
      return done
    }
  return {
    async end() {
      do {
        await Promise.allSettled(open)
        await new Promise((next) => setImmediate(next))
      } while (open.size > 0)
      for (const [name, was] of were) Object.defineProperty(methods, name, was)
    },
  }
}

type Globals = Record<string, PropertyDescriptor | undefined>

function noting<Begin extends typeof setTimeout | typeof setInterval>(
  timers: Set<NodeJS.Timeout>,
  start: Begin,
): Begin {
  const noted = (...given: Parameters<typeof setTimeout>) => {
    const timer = (start as typeof setTimeout)(...given)
    timers.add(timer)
    return timer
  }
  return Object.assign(noted, start) as unknown as Begin
}

/** Make a global again what it was. Returns whether it is. */
function restore(name: string, was: PropertyDescriptor | undefined): boolean {
  const is = Object.getOwnPropertyDescriptor(globalThis, name)
  if (was === undefined) return Reflect.deleteProperty(globalThis, name)
  if (Object.is(was.value, is?.value) && was.get === is?.get && was.set === is?.set) return true
  return Reflect.defineProperty(globalThis, name, was)
}
