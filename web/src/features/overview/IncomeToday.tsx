import { Trans } from "@lingui/react/macro"
import type { IncomeAnswer } from "../../lib/api.gen.ts"
import { Amount } from "../../ui/Amount.tsx"
import { Pressable } from "../../ui/Pressable.tsx"

/** What came today in one figure, and the way to where it came from. */
export function IncomeToday({ income }: { income: IncomeAnswer }) {
  return (
    <Pressable
      to="/node1"
      search={{ tab: "income" }}
      className="-my-3 -mr-2 ml-auto flex min-h-11 items-center gap-1.5 px-2"
    >
      <Trans>Income today</Trans>
      <Amount value={income.today.total} sign private most={2} tone="sign" />
    </Pressable>
  )
}
