const STAMP = "kalos.chunk"
const GAP = 10_000

/** After a deploy an old page may ask for code that is gone: load the page anew, once, unless we are offline. */
export function startReloadOnLostCode(): void {
  addEventListener("vite:preloadError", (event) => {
    const last = Number(sessionStorage.getItem(STAMP) ?? 0)
    if (!navigator.onLine || Date.now() - last < GAP) return
    sessionStorage.setItem(STAMP, String(Date.now()))
    event.preventDefault()
    location.reload()
  })
}
