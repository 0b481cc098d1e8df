import type { Message } from "../lib/messages.ts"
import type { Build } from "./build.ts"
import { Worker } from "./worker.ts"

declare const self: ServiceWorkerGlobalScope
/** Put in by worker.ts of the build. */
declare const BUILD: Build

const worker = new Worker(BUILD, {
  caches: self.caches,
  fetch: (request, options) => self.fetch(request, options),
  origin: self.location.origin,
})

self.addEventListener("install", (event) => event.waitUntil(worker.install()))

self.addEventListener("activate", (event) => {
  const begin = async () => {
    await worker.activate()
    await self.registration.navigationPreload?.enable()
    await self.clients.claim()
  }
  event.waitUntil(begin())
})

self.addEventListener("fetch", (event) => {
  const answer = worker.answerTo(event.request, event.preloadResponse ?? Promise.resolve(undefined))
  if (answer) event.respondWith(answer)
})

self.addEventListener("message", (event) => {
  const message = event.data as Message
  if (message.say === "activate") event.waitUntil(self.skipWaiting())
  if (message.say === "entry") event.ports[0]?.postMessage(BUILD.entry)
  if (message.say === "used") event.waitUntil(worker.keep(message.paths))
})
