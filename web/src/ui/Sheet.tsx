import { useNavigate, useRouter, useRouterState } from "@tanstack/react-router"
import { createContext, lazy, type ReactNode, Suspense, useContext, useEffect, useState } from "react"

interface Sheet {
  /** With the names of the sheets that it stands on. */
  name: string
  shown: boolean
  show: () => void
  hide: () => void
}

const Under = createContext("")

/**
 * A sheet is a step of the history: Back closes it, a reload keeps it.
 *
 * Where what it shows isn't `known` (a list's row after a reload, or one that has left the list), its step is taken
 * back, so that Back isn't pressed for nothing. One that is opened inside another stands on it.
 */
export function useSheet(own: string, known = true): Sheet {
  const navigate = useNavigate()
  const router = useRouter()
  const name = useContext(Under) + own
  const open = useRouterState({
    select: ({ location: { state } }) =>
      `${state.sheet} > `.startsWith(`${name} > `) ? state.sheet : undefined,
  })
  const lost = known ? undefined : open
  useEffect(() => {
    if (lost === undefined) return
    const timer = setTimeout(() => router.history.back())
    return () => clearTimeout(timer)
  }, [lost, router])
  return {
    name,
    shown: open !== undefined,
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
      <Under value={`${props.sheet.name} > `}>
        <Panel {...props} />
      </Under>
    </Suspense>
  ) : null
}
