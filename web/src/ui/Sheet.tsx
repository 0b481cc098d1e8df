import { useNavigate, useRouter, useRouterState } from "@tanstack/react-router"
import { createContext, lazy, type ReactNode, Suspense, useContext, useEffect, useState } from "react"
import { afterSheets, closeSheet, standsOn } from "./steps.ts"

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
 * Where what it shows isn't `known` (a list's row after a reload), its step is taken back, so that Back isn't pressed for
 * nothing. One that is opened inside another stands on it.
 */
export function useSheet(own: string, known = true): Sheet {
  const navigate = useNavigate()
  const { history } = useRouter()
  const name = useContext(Under) + own
  const shown = useRouterState({ select: ({ location }) => standsOn(location.state.sheet, name) })
  const lost = shown && !known
  useEffect(() => {
    if (!lost) return
    const timer = setTimeout(() => closeSheet(history, name))
    return () => clearTimeout(timer)
  }, [lost, history, name])
  return {
    name,
    shown,
    show: () =>
      afterSheets(
        history,
        () =>
          void navigate({
            to: ".",
            search: true as never,
            state: (state) => ({ ...state, sheet: name }),
            resetScroll: false,
          }),
      ),
    hide: () => closeSheet(history, name),
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
