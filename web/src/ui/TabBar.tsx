import { useLingui } from "@lingui/react/macro"
import { useRouter } from "@tanstack/react-router"
import { useRef } from "react"
import { queryClient } from "../lib/queries.ts"
import { Icon } from "./Icon.tsx"
import type { IconName } from "./icons.ts"
import { Pressable } from "./Pressable.tsx"

interface Item {
  to: string
  label: string
  icon: IconName
  lit: boolean
}

/** The bottom bar. A second tap on the lit tab goes to the top, a third refreshes. */
export function TabBar({ tabs }: { tabs: Item[] }) {
  const { t } = useLingui()
  const { pathname } = useRouter().state.location
  const taps = useRef(0)
  const again = (to: string) => {
    if (to !== pathname) {
      taps.current = 0
      return
    }
    taps.current++
    if (taps.current === 1) {
      scrollTo({ top: 0, behavior: "smooth" })
      return
    }
    taps.current = 0
    void queryClient.invalidateQueries()
  }
  return (
    <nav
      aria-label={t`Main`}
      className="fixed bottom-0 z-30 grid h-[calc(3.5rem+env(safe-area-inset-bottom))] w-full max-w-column grid-cols-5 bg-s1 pb-[env(safe-area-inset-bottom)]"
    >
      {tabs.map(({ to, label, icon, lit }) => (
        <Pressable
          key={to}
          to={to}
          onPress={() => again(to)}
          aria-current={lit ? "page" : undefined}
          className={`relative flex flex-col items-center justify-center gap-0.5 pt-1 text-caption -outline-offset-2 ${lit ? "text-t1" : "text-t3"}`}
        >
          {lit && (
            <span aria-hidden="true" className="absolute top-0 h-[3px] w-[1.125rem] rounded-full bg-brand" />
          )}
          <Icon name={icon} size={6} />
          <span className="whitespace-nowrap">{label}</span>
        </Pressable>
      ))}
    </nav>
  )
}
