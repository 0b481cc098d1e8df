import type { ReactNode } from "react"
import { afterEach } from "vitest"
import { queryClient } from "../lib/queries.ts"
import { holdClock, NOW } from "./clock.ts"
import { type Stage, show } from "./stage.tsx"

/** A withdrawal address of the own wallet that was added at `NOW` and can be used after `wait` milliseconds. */
export const addressThatWaits = (wait: number) => ({
  id: "7",
  chain: 1,
  address: "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  label: "My wallet",
  created_at: NOW,
  usable_at: NOW + wait,
})

/** Every test of the file shows one part as time passes; afterwards nothing of it is left. */
export function stageWaiting(): { show: (node: ReactNode, path?: string) => Promise<Stage> } {
  let stage: Stage
  holdClock()
  afterEach(async () => {
    await stage.leave()
    queryClient.clear()
  })
  return {
    show: async (node, path) => {
      stage = await show(node, path)
      return stage
    },
  }
}
