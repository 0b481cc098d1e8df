import { useLingui } from "@lingui/react/macro"
import { Icon } from "../../ui/Icon.tsx"
import type { Check, CheckName } from "./fairness.ts"

/** What was computed anew, one line each: it agrees, it doesn't, or it can't be known yet. */
export function CheckList({ checks }: { checks: readonly Check[] }) {
  const { t } = useLingui()
  const names: Record<CheckName, string> = {
    rules: t`Window and margin are those of the rules`,
    height: t`The block's number follows from what was published when the round opened`,
    block: t`The block has exactly that number`,
    window: t`The block came within its time`,
    late: t`The block came after its time, so the round is rightly void`,
    letters: t`Its hash has no digit, so the round is rightly void`,
    digit: t`The last digit of its hash, letters skipped, is the result`,
    time: t`The bet stood before the block was made`,
    lateBet: t`The bet came when the block may have been known, so it is rightly void`,
    returned: t`The stake came back whole`,
    prize: t`Stake and multiple give exactly this prize`,
    leaf: t`The leaf names this bet, stake and time`,
    decider: t`The leaf names the block that decides`,
    unnamed: t`This leaf is of the earlier form, which names no block`,
    included: t`The leaf leads to the round's published Merkle root`,
  }
  const states = { yes: t`agrees`, no: t`does not agree`, open: t`not known yet` }
  return (
    <ul className="mt-2 flex flex-col gap-2">
      {checks.map(({ name, holds, found }) => (
        <li key={name} className="flex gap-3 text-small">
          <span className={`mt-0.5 ${holds === null ? "text-t3" : holds ? "text-up" : "text-danger"}`}>
            <Icon name={holds === null ? "clock" : holds ? "check" : "warning"} size={4} />
          </span>
          <span className="min-w-0 flex-1 text-t2">
            {names[name]}
            {found !== null && <span className="block font-mono break-all text-t3">{found}</span>}
            <span className={holds === false ? "block text-danger" : "sr-only"}>
              {holds === null ? states.open : holds ? states.yes : states.no}
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
}
