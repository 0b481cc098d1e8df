import { useSyncExternalStore } from "react"

/** Chromium's offer to install the page; other browsers have none. */
interface InstallOffer extends Event {
  prompt: () => Promise<{ outcome: "accepted" | "dismissed" }>
}

/**
 * Where the page stands: runs as an app, was just installed beside this tab, can be installed with a press, or by hand
 * (iOS and iPadOS have steps of their own, every other browser its menu).
 */
export type InstallState = "app" | "installed" | "offered" | "ios" | "menu"

let offer: InstallOffer | null = null
let installed = false
const listeners = new Set<() => void>()
const STANDALONE = "(display-mode: standalone)"

/** Keep the browser's offer, which comes once and early, until somebody asks for it. */
export function startInstall(): void {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault()
    offer = event as InstallOffer
    announce()
  })
  addEventListener("appinstalled", () => {
    offer = null
    installed = true
    announce()
  })
  matchMedia(STANDALONE).addEventListener("change", announce)
}

export function installState(): InstallState {
  if (isApp()) return "app"
  if (installed) return "installed"
  if (offer !== null) return "offered"
  return isIos() ? "ios" : "menu"
}

export function useInstall(): InstallState {
  return useSyncExternalStore(listen, installState)
}

/** Show the browser's own question. An offer can be shown once; declined, the browser makes another when it likes. */
export async function install(): Promise<void> {
  const present = offer
  offer = null
  await present?.prompt()
  announce()
}

/** Whether the page runs in a window of its own. */
function isApp(): boolean {
  return matchMedia(STANDALONE).matches || (navigator as { standalone?: boolean }).standalone === true
}

/** iPads call themselves Macs; no Mac has a touch screen. */
function isIos(): boolean {
  const { userAgent, maxTouchPoints } = navigator
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
}

function announce(): void {
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
