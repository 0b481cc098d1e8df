const DEVICE = "kalos.device"

/** What the last log-in on this device gave it: failures of a known device count for itself. It outlives sessions. */
export function knownDevice(): { device?: string } {
  const device = localStorage.getItem(DEVICE)
  return device === null ? {} : { device }
}

export function keepDevice(device: string): void {
  localStorage.setItem(DEVICE, device)
}
