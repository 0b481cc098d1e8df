import { Trans } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { infoQuery } from "../../lib/queries.ts"
import { Button } from "../../ui/Button.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Page } from "../../ui/Page.tsx"
import { HoldNotice } from "./HoldNotice.tsx"

interface Props {
  title: string
  /** What is so from now on. */
  done: ReactNode
  children: ReactNode
}

/** A change that is made: what it brought, until when it holds withdrawals, and the way back. */
export function Changed({ title, done, children }: Props) {
  const info = useQuery(infoQuery())
  return (
    <Page
      title={title}
      back="/me1"
      footer={
        <Button to="/me1">
          <Trans>Back to the security centre</Trans>
        </Button>
      }
    >
      <section role="status" className="mt-10 flex flex-col items-center text-center">
        <span className="grid size-16 place-items-center rounded-full bg-s2 text-up">
          <Icon name="check" size={6} />
        </span>
        <h2 className="mt-5 text-h1">{done}</h2>
        <p className="mt-2 text-t2">{children}</p>
      </section>
      <HoldNotice until={info.data?.withdrawals_held_until ?? null} />
    </Page>
  )
}
