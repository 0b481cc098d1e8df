import { Trans } from "@lingui/react/macro"
import type { InfoAnswer } from "../../lib/api.gen.ts"
import { securityChecks, useCheckNames } from "../../lib/securityChecks.ts"
import { ScoreRing } from "../../ui/ScoreRing.tsx"
import { TextLink } from "../../ui/TextLink.tsx"
import type { View } from "./search.ts"

/** How many of the checks are met, and the one to do next. */
export function Score({ info, built }: { info: InfoAnswer; built: ReadonlySet<View> }) {
  const names = useCheckNames()
  const checks = securityChecks(info).filter(({ view }) => view === "email" || built.has(view))
  const done = checks.filter(({ met }) => met).length
  const next = checks.find(({ met }) => !met)
  const all = checks.length
  return (
    <section className="mt-4 flex items-center gap-5 rounded-card bg-s1 p-5">
      <ScoreRing done={done} all={all} />
      <div className="min-w-0 flex-1">
        <h2 className="text-title">
          <Trans>
            {done} of {all} checks done
          </Trans>
        </h2>
        <p className="mt-1 text-small text-t2">
          {next ? (
            <TextLink to="/me1" search={{ view: next.view }}>
              {names[next.view]}
            </TextLink>
          ) : (
            <Trans>Look at your sessions from time to time.</Trans>
          )}
        </p>
      </div>
    </section>
  )
}
