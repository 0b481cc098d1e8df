import { Trans, useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import { callQuery, financeQuery, infoQuery } from "../../lib/queries.ts"
import { useServerNow } from "../../lib/time.ts"
import { Card } from "../../ui/Card.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Page } from "../../ui/Page.tsx"
import { SkeletonRows } from "../../ui/SkeletonRows.tsx"
import { CloseForm } from "./CloseForm.tsx"
import { InTheWay } from "./InTheWay.tsx"
import { pausedUntil, standingOf } from "./standing.ts"

const EVERY = 5_000

const topUpsQuery = (status: "on_chain_processing" | "pending_review") => ({
  ...callQuery("/api/recharge/list", { status, size: 1 }),
  refetchInterval: EVERY,
})

/** /me1?view=close: the end of the account, once it holds nothing: what goes, what stays, and the last step. */
export default function CloseView() {
  const { t } = useLingui()
  const info = useQuery(infoQuery())
  const finance = useQuery({ ...financeQuery(), refetchInterval: EVERY })
  const isComing = (useQuery(topUpsQuery("on_chain_processing")).data?.total ?? 0) > 0
  const limits = useQuery(callQuery("/api/user/limits", {}))
  const now = useServerNow(EVERY)
  const isWaiting = (useQuery(topUpsQuery("pending_review")).data?.total ?? 0) > 0
  return (
    <Page title={t`Close account`} back="/me3">
      <p className="mt-2 text-t2">
        <Trans>
          An account closes when it holds nothing and no top-up is on its way. It never opens again.
        </Trans>
      </p>
      <Loaded query={info} skeleton={<SkeletonRows rows={3} />}>
        {(member) => (
          <Loaded query={finance} skeleton={<SkeletonRows rows={3} />}>
            {(balances) => {
              const standing = standingOf(balances)
              const paused = pausedUntil(limits.data, now)
              const isBlocked = standing.length > 0 || isComing || paused !== null
              return (
                <>
                  {isBlocked && <InTheWay standing={standing} isComing={isComing} paused={paused} />}
                  <Fate />
                  {isWaiting && (
                    <Notice tone="warn">
                      <Trans>
                        A top-up of yours is under the minimum and waits. A closed account isn't credited it.
                      </Trans>
                    </Notice>
                  )}
                  {!isBlocked && <CloseForm member={member} />}
                </>
              )
            }}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}

/** What is erased, and what the ledger and the law keep. */
function Fate() {
  const { t } = useLingui()
  return (
    <>
      <Card title={t`What is erased`}>
        <p className="text-small text-t2">
          <Trans>
            E-mail, passwords, authenticator, country, birth date, anti-phishing word, sessions and known
            devices. Log-in wallets and the invitation code stop working; the e-mail is free again.
          </Trans>
        </p>
      </Card>
      <Card title={t`What stays`}>
        <p className="text-small text-t2">
          <Trans>
            The account number with its movements and bets, the team, the security log, withdrawal addresses
            and the terms you accepted. The ledger and the law need them.
          </Trans>
        </p>
      </Card>
    </>
  )
}
