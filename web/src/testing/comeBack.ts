import { act } from "react"
import { vi } from "vitest"
import { markOnline } from "../lib/network.ts"

/**
 * The server is there again, and whoever waits for that has been told: each is within two seconds, and that may be in the
 * middle of the next test.
 */
export async function comeBack(): Promise<void> {
  const spread = vi.spyOn(Math, "random").mockReturnValue(0)
  await act(async () => markOnline())
  spread.mockRestore()
  await act(() => new Promise<void>((done) => setTimeout(done, 1)))
}
