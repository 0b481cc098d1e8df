import { Trans, useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { useOnline } from "../../lib/network.ts"
import { infoQuery } from "../../lib/queries.ts"
import { securityChecks } from "../../lib/securityChecks.ts"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { TextLink } from "../../ui/TextLink.tsx"

/** What to do with an empty account, in three steps; the first one is done once the account's checks are met. */
export function Starter() {
  const { t } = useLingui()
  const online = useOnline()
  const info = useQuery(infoQuery())
  const secured = info.data !== undefined && securityChecks(info.data).every(({ met }) => met)
  return (
    <Card title={t`Three steps to begin`}>
      <ol className="flex flex-col gap-3">
        <Step number="1" done={secured}>
          <TextLink to="/me1">
            <Trans>Secure your account</Trans>
          </TextLink>
        </Step>
        <Step number="2">
          <Trans>Top up USDT to your own address</Trans>
        </Step>
        <Step number="3">
          <Trans>Place a first bet and check its result yourself</Trans>
        </Step>
      </ol>
      <div className="mt-4">
        <Button to="/node3" {...(online ? {} : { reason: t`No connection to the server` })}>
          <Trans>Top up</Trans>
        </Button>
      </div>
    </Card>
  )
}

function Step({ number, done = false, children }: { number: string; done?: boolean; children: ReactNode }) {
  return (
    <li className={`flex items-center gap-3 ${done ? "text-t3" : "text-t1"}`}>
      <span
        className={`grid size-7 shrink-0 place-items-center rounded-cell font-mono text-small ${done ? "bg-s2 text-up" : "bg-s2 text-t2"}`}
      >
        {done ? <Icon name="check" size={4} /> : number}
      </span>
      {children}
    </li>
  )
}
