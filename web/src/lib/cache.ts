import { forgetAnswers } from "./session.ts"

/**
 * Forget everything that can be fetched again: the server's answers, and the files that a service worker keeps. The
 * worker goes with them, since it would not fetch its files a second time; the next load of the page brings a new one.
 * Log-in and settings stay.
 */
export async function clearCache(): Promise<void> {
  await forgetAnswers()
  const workers = (await navigator.serviceWorker?.getRegistrations()) ?? []
  await Promise.all(workers.map((worker) => worker.unregister()))
  const names = (await globalThis.caches?.keys()) ?? []
  await Promise.all(names.map((name) => caches.delete(name)))
}
