import type { Build } from "./build.ts"

const PREFIX = "kalos-"
const PAGE = "/"
const PATIENCE = 4000
const KEYS = /<meta name="kalos-wire-keys"[^>]*>/
/** Addresses below the page's own that are no screens of it. */
const NO_SCREEN = /^\/(api|v1|ws|healthz|readyz|operator)(\/|$)|\.[^/]*$|^\/\./

/** What the worker is made of besides its build. */
export interface Surroundings {
  caches: CacheStorage
  fetch: typeof globalThis.fetch
  origin: string
}

/**
 * The page without a network: its shell, fonts, icons, and the screens and texts that were used on this device.
 *
 * Only files that the build names are ever put into a cache: no answer of the API can be, whatever it says.
 * Why so: docs/decisions/0019-pwa.md.
 */
export class Worker {
  private readonly build: Build
  private readonly around: Surroundings
  private readonly name: string

  constructor(build: Build, around: Surroundings) {
    this.build = build
    this.around = around
    this.name = PREFIX + build.id
  }

  /**
   * Fetch the shell whole with the texts in use, without which no screen shows, and of the rest what this device used of
   * the build before. Where that fails no trace is left: a half build must not count as the last one.
   */
  async install(): Promise<void> {
    const used = new Set((await this.cached()).map(stem))
    const page = await this.pageToKeep()
    const known = (await this.names()).includes(this.name)
    try {
      const cache = await this.around.caches.open(this.name)
      await cache.put(PAGE, page)
      const again = this.build.parts.filter((path) => used.has(stem(path)))
      await cache.addAll([...this.build.shell, ...again.filter((path) => this.build.texts.includes(path))])
      await this.keep(again)
    } catch (problem) {
      if (!known) await this.around.caches.delete(this.name)
      throw problem
    }
  }

  /** Drop the builds before the last one: a page of that may still be open in another tab. */
  async activate(): Promise<void> {
    const others = (await this.names()).filter((name) => name !== this.name)
    await Promise.all(others.slice(0, -1).map((name) => this.around.caches.delete(name)))
  }

  /** Put those of the build's parts into its cache that aren't there. What can't be had now is fetched when needed. */
  async keep(paths: readonly string[]): Promise<void> {
    const cache = await this.around.caches.open(this.name)
    const wanted = new Set(paths.filter((path) => this.build.parts.includes(path)))
    await Promise.allSettled(
      [...wanted].map(async (path) => (await cache.match(path)) ?? (await cache.add(path))),
    )
  }

  /** How a request is answered; null: not by us, the browser asks the network as if there were no worker. */
  answerTo(request: Request, preloaded: Promise<Response | undefined>): Promise<Response> | null {
    const { origin, pathname } = new URL(request.url)
    if (request.method !== "GET" || origin !== this.around.origin) return null
    if (request.mode === "navigate") return NO_SCREEN.test(pathname) ? null : this.page(request, preloaded)
    const { shell, parts } = this.build
    const known = pathname.startsWith("/assets/") || shell.includes(pathname) || parts.includes(pathname)
    return known ? this.file(request, pathname) : null
  }

  /** The server's own page, which has fresh keys; the kept one where it doesn't answer in time. */
  private async page(request: Request, preloaded: Promise<Response | undefined>): Promise<Response> {
    const asked = preloaded.then((answer) => answer ?? this.around.fetch(request))
    const fresh = asked.then(
      (answer) => (answer.status < 500 ? answer : undefined),
      () => undefined,
    )
    const late = new Promise<undefined>((done) => setTimeout(done, PATIENCE))
    return (await Promise.race([fresh, late])) ?? (await this.keptPage()) ?? asked
  }

  private async keptPage(): Promise<Response | undefined> {
    const cache = await this.around.caches.open(this.name)
    return cache.match(PAGE)
  }

  /** A file of this build; of the one before where only that has it. Icons have the same name in both. */
  private async file(request: Request, path: string): Promise<Response> {
    const { caches } = this.around
    const kept =
      (await caches.match(path, { ignoreVary: true, cacheName: this.name })) ??
      (await caches.match(path, { ignoreVary: true }))
    if (kept) return kept
    const answer = await this.around.fetch(request)
    if (answer.ok && this.build.parts.includes(path)) {
      const cache = await caches.open(this.name)
      // A full store is no reason to show nothing.
      await cache.put(path, answer.clone()).catch(() => undefined)
    }
    return answer
  }

  /**
   * The page as it may lie about: without the keys of its day, so that it asks for new ones. Raises where the server has
   * another build already, or still.
   */
  private async pageToKeep(): Promise<Response> {
    const answer = await this.around.fetch(PAGE, { cache: "no-store" })
    const text = await answer.text()
    if (!answer.ok || !text.includes(this.build.entry)) throw new Error("the server has another build")
    const headers = new Headers(answer.headers)
    for (const name of ["content-encoding", "content-length"]) headers.delete(name)
    return new Response(text.replace(KEYS, ""), { headers })
  }

  private async names(): Promise<string[]> {
    return (await this.around.caches.keys()).filter((name) => name.startsWith(PREFIX))
  }

  private async cached(): Promise<string[]> {
    const caches = await Promise.all((await this.names()).map((name) => this.around.caches.open(name)))
    const requests = await Promise.all(caches.map((cache) => cache.keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname)
  }
}

/** A file's name without what says its content: the same part of another build. */
const stem = (path: string): string => path.replace(/-[\w-]{8}(?=\.\w+$)/, "")
