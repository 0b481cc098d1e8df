import { useNavigate, useRouter, useRouterState } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react"

interface Sheet {
  shown: boolean
  show: () => void
  hide: () => void
}

/**
 * A sheet is a step of the history: Back closes it, a reload keeps it.
 *
 * Where what it shows isn't `known` (a list's row after a reload, or one that has left the list), its step is taken
 * back, so that Back isn't pressed for nothing.
 */
export function useSheet(name: string, known = true): Sheet {
  const navigate = useNavigate()
  const router = useRouter()
  const shown = useRouterState({ select: (state) => state.location.state.sheet === name })
  const lost = shown && !known
  useEffect(() => {
    if (!lost) return
    const timer = setTimeout(() => router.history.back())
    return () => clearTimeout(timer)
  }, [lost, router])
  return {
    shown,
    show: () =>
      void navigate({
        to: ".",
        search: true as never,
        state: (state) => ({ ...state, sheet: name }),
        resetScroll: false,
      }),
    hide: () => {
      if (router.state.location.state.sheet === name) router.history.back()
    },
  }
}

export interface SheetProps {
  sheet: Sheet
  title: string
  children: ReactNode
  /** The action at its foot. */
  footer?: ReactNode
}

const load = () => import("./SheetPanel.tsx")
const Panel = lazy(load)
const IDLE = 1500

/** A panel over the page. Its code comes when the page has come to rest, or at the latest when it is asked for. */
export function Sheet(props: SheetProps) {
  const [wanted, setWanted] = useState(props.sheet.shown)
  if (props.sheet.shown && !wanted) setWanted(true)
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => undefined), IDLE)
    return () => clearTimeout(timer)
  }, [])
  return wanted ? (
    <Suspense fallback={null}>
      <Panel {...props} />
    </Suspense>
  ) : null
}
