import { vi } from "vitest"

const PATIENCE = { timeout: 60_000 }

/**
 * Wait until `check` throws no more. The machine may be slow, and gives these tests what others leave of it: what is promised in
 * time is looked at by other means.
 */
export const soon = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, PATIENCE)
