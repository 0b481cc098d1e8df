// @vitest-environment document
import { beforeEach, expect, test, vi } from "vitest"
import { soon } from "../testing/soon.ts"

const OWN = "/assets/index-aaaaaaaa.js"
const NEW = "/assets/index-bbbbbbbb.js"

/** A worker as a page sees it: it answers by which script its page begins. */
class FakeWorker extends EventTarget {
  state = "installing"
  readonly said: unknown[] = []
  readonly entry: string
  constructor(entry: string) {
    super()
    this.entry = entry
  }
  postMessage(message: { say: string }, ports: MessagePort[]) {
    this.said.push(message)
    if (message.say === "entry") ports[0]?.postMessage(this.entry)
  }
  become(state: string) {
    this.state = state
    this.dispatchEvent(new Event("statechange"))
  }
}

class Registration extends EventTarget {
  installing: FakeWorker | null = null
  waiting: FakeWorker | null = null
  active: FakeWorker | null = null
  readonly update = vi.fn(async () => undefined)
}

class Container extends EventTarget {
  controller: FakeWorker | null = null
  readonly registration = new Registration()
  get ready() {
    return Promise.resolve(this.registration)
  }
  register = async () => this.registration
}

let workers: Container
let updates: typeof import("./updates.ts")
let isReady: () => boolean

/** So that what must not come has had its time. */
const settle = () => new Promise((done) => setTimeout(done, 20))
const follow = () => updates.follow(workers as unknown as ServiceWorkerContainer, OWN)

/** Another build was found, fetched whole and waits. */
async function find(entry: string): Promise<FakeWorker> {
  const found = new FakeWorker(entry)
  workers.registration.installing = found
  workers.registration.dispatchEvent(new Event("updatefound"))
  workers.registration.installing = null
  workers.registration.waiting = found
  found.become("installed")
  return found
}

beforeEach(async () => {
  vi.resetModules()
  workers = new Container()
  updates = await import("./updates.ts")
  const update = await import("./update.ts")
  isReady = update.isUpdateReady
})

test("a page's first worker is no news, and is told what was loaded before it", async () => {
  const first = new FakeWorker(OWN)
  workers.registration.active = first
  await follow()
  workers.controller = first
  workers.dispatchEvent(new Event("controllerchange"))
  await soon(() => expect(first.said).toContainEqual({ say: "used", paths: expect.any(Array) }))
  await settle()
  expect(isReady()).toBe(false)
})

test("another build waits until somebody asks for it, then the page is loaded anew", async () => {
  workers.controller = new FakeWorker(OWN)
  await follow()
  const found = await find(NEW)
  await soon(() => expect([isReady(), found.said]).toEqual([true, [{ say: "entry" }]]))
  const reload = vi.fn()
  vi.stubGlobal("navigator", { serviceWorker: workers })
  const applied = updates.applyUpdate(reload)
  await soon(() => expect(found.said.at(-1)).toEqual({ say: "activate" }))
  await settle()
  expect(reload).not.toHaveBeenCalled()
  workers.dispatchEvent(new Event("controllerchange"))
  await applied
  expect(reload).toHaveBeenCalledTimes(1)
})

test("one that waited already when the page began is told too", async () => {
  workers.controller = new FakeWorker(OWN)
  workers.registration.waiting = new FakeWorker(NEW)
  await follow()
  await soon(() => expect(isReady()).toBe(true))
})

test("where the page came from the new build already, its worker takes over without a word", async () => {
  workers.controller = new FakeWorker("/assets/index-00000000.js")
  await follow()
  const found = await find(OWN)
  await soon(() => expect(found.said.at(-1)).toEqual({ say: "activate" }))
  await settle()
  expect(isReady()).toBe(false)
})

test("a tab that another one's update passed by says so, and keeps its page", async () => {
  workers.controller = new FakeWorker(OWN)
  await follow()
  workers.controller = new FakeWorker(NEW)
  workers.dispatchEvent(new Event("controllerchange"))
  await soon(() => expect(isReady()).toBe(true))
})

test("it is looked for again when the page comes back after half an hour", async () => {
  vi.useFakeTimers({ toFake: ["Date"] })
  await follow()
  const back = () => document.dispatchEvent(new Event("visibilitychange"))
  back()
  vi.advanceTimersByTime(30 * 60_000)
  back()
  back()
  vi.useRealTimers()
  expect(workers.registration.update).toHaveBeenCalledTimes(1)
})

test("a browser that registers nothing is left alone", async () => {
  workers.register = async () => undefined as unknown as Registration
  await follow()
  expect(isReady()).toBe(false)
})
