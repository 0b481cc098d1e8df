import { createRouter } from "@tanstack/react-router"
import type { Draft } from "../features/withdrawals/draft.ts"
import { BrokenPage } from "./BrokenPage.tsx"
import { PendingPage } from "./PendingPage.tsx"
import { routeTree } from "./routes.ts"

/** Made once the texts are on their way: with 72 routes that is a task of its own on a phone. */
export const makeRouter = () =>
  createRouter({
    routeTree,
    scrollRestoration: true,
    defaultPreload: "intent",
    defaultPreloadDelay: 30,
    defaultPendingMs: 400,
    defaultErrorComponent: BrokenPage,
    defaultPendingComponent: PendingPage,
  })

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
  interface HistoryState {
    /** The sheet that stands over the page; Back takes it away. */
    sheet?: string | undefined
    /** A bet to place once more: it fills the form, and is sent by nobody but the member. */
    again?: { option: string; asset: string; amount: string; of: string } | undefined
    /** What stood in an amount's field when an address was chosen for it on another screen. */
    draft?: Draft | undefined
    /** The number of the receipt that stands in the page's place. */
    receipt?: string | undefined
  }
}
