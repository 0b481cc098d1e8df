import { Trans } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { infoQuery } from "../../lib/queries.ts"
import { formatDateTime } from "../../lib/time.ts"
import { Button } from "../../ui/Button.tsx"
import { Icon } from "../../ui/Icon.tsx"

/** A change that is made: what it was, until when withdrawals wait for it, and the way back. */
export function Done({ title, children }: { title: string; children: ReactNode }) {
  const held = useQuery(infoQuery()).data?.withdrawals_held_until ?? null
  return (
    <>
      <section className="flex flex-1 flex-col items-center justify-center gap-3 py-10 text-center">
        <span className="grid size-16 place-items-center rounded-full bg-s1 text-up">
          <Icon name="check" size={6} />
        </span>
        <h2 className="text-h2">{title}</h2>
        <p className="text-t2">{children}</p>
        {held !== null && (
          <p className="text-small text-warn">
            <Trans>Withdrawals are on hold until {formatDateTime(held)}.</Trans>
          </p>
        )}
      </section>
      <Button to="/me1">
        <Trans>Back to the security centre</Trans>
      </Button>
    </>
  )
}
