import { useLingui } from "@lingui/react/macro"
import { Icon } from "./Icon.tsx"
import type { IconName } from "./icons.ts"
import { Pressable } from "./Pressable.tsx"

export interface TabItem {
  to: string
  label: string
  icon: IconName
  lit: boolean
  onPress: () => void
}

/** The bottom bar of a phone; where there is room beside the column, its rail has the tabs. */
export function TabBar({ tabs }: { tabs: readonly TabItem[] }) {
  const { t } = useLingui()
  return (
    <nav
      aria-label={t`Main`}
      className="fixed bottom-0 z-30 grid h-[calc(3.5rem+env(safe-area-inset-bottom))] w-full max-w-column auto-cols-fr grid-flow-col bg-s1 pb-[env(safe-area-inset-bottom)] rail:hidden"
    >
      {tabs.map(({ to, label, icon, lit, onPress }) => (
        <Pressable
          key={to}
          to={to}
          onPress={onPress}
          aria-current={lit ? "page" : undefined}
          className={`relative flex flex-col items-center justify-center gap-0.5 pt-1 text-caption -outline-offset-2 ${lit ? "text-t1" : "text-t3"}`}
        >
          {lit && (
            <span aria-hidden="true" className="absolute top-0 h-[3px] w-[1.125rem] rounded-full bg-brand" />
          )}
          <Icon name={icon} size={6} />
          <span className="text-center whitespace-nowrap max-[18rem]:leading-none max-[18rem]:whitespace-normal max-[18rem]:[overflow-wrap:anywhere]">
            {label}
          </span>
        </Pressable>
      ))}
    </nav>
  )
}
