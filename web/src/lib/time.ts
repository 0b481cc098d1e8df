import { useEffect, useState } from "react"
import { intlTag, languageOf } from "./languages.ts"
import { getSettings } from "./settings.ts"

const SECONDS_END = 1e11
let offset = 0

/** Business time now, in milliseconds: the server's clock, not the device's. */
export function serverNow(): number {
  return Date.now() + offset
}

/** Take the server's clock from an answer (`server_time`, in seconds or milliseconds). */
export function setServerTime(time: number): void {
  const milliseconds = time < SECONDS_END ? time * 1000 + 500 : time
  const found = milliseconds - Date.now()
  // An answer in whole seconds is half a second vague: small differences aren't worth a jump of the countdown.
  if (Math.abs(found - offset) > 600) offset = found
}

/** Business time, rendered again every `every` milliseconds on the clock's own edges. */
export const useServerNow = (every = 1000): number => useTicking(serverNow, every)
/** The device's time: for waits that have nothing to do with business time. */
export const useNow = (every = 1000): number => useTicking(Date.now, every)

function useTicking(read: () => number, every: number): number {
  const [now, setNow] = useState(read)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const tick = () => {
      setNow(read())
      timer = setTimeout(tick, every - (read() % every))
    }
    tick()
    return () => clearTimeout(timer)
  }, [read, every])
  return now
}

const formats = new Map<string, Intl.DateTimeFormat>()

function timeFormat(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const tag = intlTag(languageOf(getSettings().language))
  const key = `${tag} ${name}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(tag, { hourCycle: "h23", ...options })
  formats.set(key, made)
  return made
}

const CLOCK = { hour: "2-digit", minute: "2-digit", second: "2-digit" } as const
const DATE = { year: "numeric", month: "short", day: "numeric" } as const

export const formatTime = (ms: number): string => timeFormat("time", CLOCK).format(ms)
export const formatDateTime = (ms: number): string => timeFormat("both", { ...DATE, ...CLOCK }).format(ms)
export const formatDay = (ms: number): string => timeFormat("day", DATE).format(ms)
/** Block data is shown in UTC besides the local zone. */
export const formatUtc = (ms: number): string =>
  `${timeFormat("utc", { ...DATE, ...CLOCK, timeZone: "UTC" }).format(ms)} UTC`

/** A duration as mm:ss, or h:mm:ss from an hour on; never below zero. */
export function formatLeft(ms: number): string {
  const left = Math.max(0, Math.ceil(ms / 1000))
  const two = (value: number) => String(value).padStart(2, "0")
  const clock = `${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`
  return left >= 3600 ? `${Math.floor(left / 3600)}:${clock}` : clock
}

/** The device's present day as YYYY-MM-DD. */
export function today(): string {
  const now = new Date()
  const two = (value: number) => String(value).padStart(2, "0")
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}
