import { useLingui } from "@lingui/react/macro"
import { useRef } from "react"
import { movement } from "../lib/movement.ts"
import { queryClient } from "../lib/queries.ts"
import { isBuilt } from "../lib/unbuilt.ts"
import type { TabItem } from "../ui/TabBar.tsx"
import { TABS } from "./tabs.ts"

/** The tabs as they stand on a path, without those whose root isn't built. A second tap on the lit one goes to the top, a third refreshes. */
export function useTabs(pathname: string): TabItem[] {
  const { i18n } = useLingui()
  const taps = useRef(0)
  const press = (root: string) => {
    taps.current = root === pathname ? taps.current + 1 : 0
    if (taps.current === 1) scrollTo({ top: 0, behavior: movement() })
    else if (taps.current > 1) void queryClient.invalidateQueries()
  }
  return TABS.filter(({ root }) => isBuilt(root)).map(({ root, label, icon, lit }) => ({
    to: root,
    label: i18n._(label),
    icon,
    lit: lit.test(pathname),
    onPress: () => press(root),
  }))
}
