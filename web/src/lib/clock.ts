const SECONDS_END = 1e11
let offset = 0

/** Business time now, in milliseconds: the server's clock, not the device's. */
export function serverNow(): number {
  return Date.now() + offset
}

/** Take the server's clock from an answer (`server_time`, in seconds or milliseconds) that came at `receivedAt`. */
export function setServerTime(time: number, receivedAt = Date.now()): void {
  const milliseconds = time < SECONDS_END ? time * 1000 + 500 : time
  const found = milliseconds - receivedAt
  // An answer in whole seconds is half a second vague: small differences aren't worth a jump of the countdown.
  if (Math.abs(found - offset) > 600) offset = found
}
