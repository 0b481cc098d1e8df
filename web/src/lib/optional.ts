import { type ComponentType, lazy } from "react"

/** A part that the page can do without: where its code doesn't come, the rest stands. */
export const optional = <P extends object>(load: () => Promise<{ default: ComponentType<P> }>) =>
  lazy(() => load().catch(() => ({ default: (() => null) as ComponentType<P> })))
