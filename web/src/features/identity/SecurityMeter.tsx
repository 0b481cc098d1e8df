import { Trans } from "@lingui/react/macro"
import type { InfoAnswer } from "../../lib/api.gen.ts"
import { securityChecks, useCheckNames } from "../../lib/securityChecks.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Pressable } from "../../ui/Pressable.tsx"
import { StepCells } from "../../ui/StepCells.tsx"

/** How many of the account's checks are met and which comes next; leads to the security centre. */
export function SecurityMeter({ info }: { info: InfoAnswer }) {
  const names = useCheckNames()
  const checks = securityChecks(info)
  const done = checks.filter(({ met }) => met).length
  const next = checks.find(({ met }) => !met)
  const all = checks.length
  return (
    <Pressable to="/me1" className="mt-4 block rounded-card bg-s1 p-4 active:opacity-70">
      <span className="flex items-center gap-3">
        <Icon name="lock" size={5} className="text-t2" />
        <span className="flex-1 font-semibold">
          <Trans>Security centre</Trans>
        </span>
        <span className="text-small text-t3">
          <Trans>
            {done} of {all}
          </Trans>
        </span>
        <Icon name="next" size={4} className="text-t3" />
      </span>
      <span className="mt-3 block">
        <StepCells done={done} all={all} />
      </span>
      {next && (
        <span className="mt-2.5 block text-small text-t2">
          <Trans>Next: {names[next.view]}</Trans>
        </span>
      )}
    </Pressable>
  )
}
