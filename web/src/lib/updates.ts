import type { Message } from "./messages.ts"
import { setUpdateReady } from "./update.ts"
import { entryOfPage } from "./version.ts"

const CHECK_EVERY = 30 * 60_000
const PATIENCE = 3000

let registration: ServiceWorkerRegistration | undefined

/** Load the page anew in its newest build. Only ever when somebody asks for it: a form may be half filled. */
export async function applyUpdate(reload: () => void = () => location.reload()): Promise<void> {
  if (registration?.waiting) {
    const taken = new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done))
    say(registration.waiting, { say: "activate" })
    await Promise.race([taken, new Promise((done) => setTimeout(done, PATIENCE))])
  }
  reload()
}

/** Let the worker keep the page for times without a network, and look now and then for a newer build. */
export async function followWorker(): Promise<void> {
  if (!("serviceWorker" in navigator)) return
  await follow(navigator.serviceWorker, entryOfPage())
}

/** Register the worker, and say so where it is of another build than `own`, the script that this page began with. */
export async function follow(workers: ServiceWorkerContainer, own: string): Promise<void> {
  const look = async (worker: ServiceWorker | null | undefined) => {
    if (!worker) return
    if ((await entryOf(worker)) !== own) setUpdateReady()
    // The page came from the new build already: nothing to tell anybody here.
    else if (worker === registration?.waiting) say(worker, { say: "activate" })
  }
  const controlled = workers.controller !== null
  workers.addEventListener("controllerchange", () => void look(workers.controller))
  registration = await workers.register("/sw.js", { updateViaCache: "none" })
  if (registration === undefined) return
  const known = registration
  known.addEventListener("updatefound", () => {
    const coming = known.installing
    coming?.addEventListener("statechange", () => coming.state === "installed" && void look(known.waiting))
  })
  void look(known.waiting)
  if (!controlled) void tellUsed(workers)
  let checked = Date.now()
  const check = () => {
    if (document.hidden || Date.now() - checked < CHECK_EVERY) return
    checked = Date.now()
    known.update().catch(() => undefined)
  }
  document.addEventListener("visibilitychange", check)
  setInterval(check, CHECK_EVERY)
}

/** What this page loaded before the worker saw its requests. */
async function tellUsed(workers: ServiceWorkerContainer): Promise<void> {
  const { active } = await workers.ready
  const paths = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname)
  if (active) say(active, { say: "used", paths })
}

function say(worker: ServiceWorker, message: Message, ports: Transferable[] = []): void {
  worker.postMessage(message, ports)
}

function entryOf(worker: ServiceWorker): Promise<string> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((done) => {
    port1.onmessage = ({ data }) => done(String(data))
    say(worker, { say: "entry" }, [port2])
  })
}
