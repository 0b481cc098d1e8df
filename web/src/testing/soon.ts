import { vi } from "vitest"

const PATIENCE = { timeout: 15_000 }

/** Wait until `check` throws no more. The machine may be slow or busy: what is promised in time is looked at by other means. */
export const soon = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, PATIENCE)
