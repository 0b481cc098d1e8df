import { Amount } from "../ui/Amount.tsx"
import { Icon } from "../ui/Icon.tsx"
import type { Withdrawal } from "./shapes.ts"
import { nameOf } from "./words.ts"

type Effect = Withdrawal["effects"][number]

/** What an answer makes of balances: before and after of each account that it moves. */
export function Effects({ of, verdict }: { of: Effect[]; verdict: Effect["verdict"] }) {
  const chosen = of.filter((one) => one.verdict === verdict)
  return (
    <>
      <h4 className="mt-4 text-small font-medium text-t2">
        {verdict === "yes" ? "Balances once it is paid" : "Balances afterwards"}
      </h4>
      {chosen.length === 0 && <p className="mt-1 text-small text-t3">No balance changes.</p>}
      <dl className="mt-2 rounded-chip bg-s2 px-4 py-2 empty:hidden">
        {chosen.map(({ account, place, asset, before, after }) => (
          <div key={`${account} ${place} ${asset}`} className="flex flex-wrap items-baseline gap-x-3 py-1">
            <dt className="min-w-24 flex-1 text-small text-t3">
              {account || "House"}, {nameOf(place).toLowerCase()}
            </dt>
            <dd className="flex items-center gap-2">
              <Amount value={before} />
              <Icon name="next" size={4} className="text-t3" />
              <span className="sr-only">becomes</span>
              <strong className="font-semibold">
                <Amount value={after} asset={asset} />
              </strong>
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
