const MINUTE_MS = 60_000
/** A field of the device says up to the minute: 2026-11-23T08:30. */
const TO_THE_MINUTE = 16

/** A point in time as a field of the device's zone has it; empty for none. */
export function fieldOf(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return ""
  const ahead = new Date(ms).getTimezoneOffset() * MINUTE_MS
  return new Date(ms - ahead).toISOString().slice(0, TO_THE_MINUTE)
}

/** What a field says; a time that wasn't touched stays as it was, to the millisecond. */
export function timeOf(text: string, was: number | null | undefined): number | null {
  if (text === "") return null
  return text === fieldOf(was) ? (was ?? null) : new Date(text).getTime()
}
