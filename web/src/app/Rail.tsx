import { useLingui } from "@lingui/react/macro"
import { Icon } from "../ui/Icon.tsx"
import { Mark } from "../ui/Mark.tsx"
import { Pressable } from "../ui/Pressable.tsx"
import type { TabItem } from "../ui/TabBar.tsx"

/** The tabs beside the column: glyphs over words on a tablet or a phone held sideways, lines of a list on a desktop. */
export default function Rail({ tabs }: { tabs: readonly TabItem[] }) {
  const { t } = useLingui()
  return (
    <div className="flex w-22 shrink-0 flex-col gap-3 px-2 py-4 desk:w-52 desk:gap-6 desk:px-4 desk:py-8">
      <div className="flex items-center justify-center gap-3 desk:justify-start desk:px-3">
        <Mark />
        <span className="text-h2 max-desk:sr-only">Kalos</span>
      </div>
      {tabs.length > 0 && (
        <nav aria-label={t`Main`} className="flex flex-col gap-1">
          {tabs.map(({ to, label, icon, lit, onPress }) => (
            <Pressable
              key={to}
              to={to}
              onPress={onPress}
              aria-current={lit ? "page" : undefined}
              className={`relative flex flex-col items-center justify-center gap-0.5 rounded-control px-1 py-1.5 text-center text-caption transition-colors duration-[120ms] hover:bg-s1 desk:min-h-12 desk:flex-row desk:justify-start desk:gap-3 desk:px-3.5 desk:text-body ${lit ? "bg-s1 text-t1 desk:font-medium" : "text-t3 desk:text-t2"}`}
            >
              {lit && (
                <span
                  aria-hidden="true"
                  className="absolute inset-y-0 left-0 my-auto h-5 w-0.75 rounded-full bg-brand"
                />
              )}
              <Icon name={icon} size={6} />
              {label}
            </Pressable>
          ))}
        </nav>
      )}
    </div>
  )
}
