import { Trans, useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { InfoAnswer } from "../../lib/api.gen.ts"
import { notify } from "../../lib/notices.ts"
import { infoQuery } from "../../lib/queries.ts"
import { Button } from "../../ui/Button.tsx"
import { HoldFirst } from "../../ui/HoldFirst.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Page } from "../../ui/Page.tsx"
import { SkeletonCard } from "../../ui/SkeletonCard.tsx"
import { Done } from "./Done.tsx"
import { OutPasswordForm } from "./OutPasswordForm.tsx"

/** /me1?view=withdraw: the password that money going out asks for: the first, another, or one for a forgotten one. */
export default function WithdrawView() {
  const { t } = useLingui()
  const info = useQuery(infoQuery())
  const [done, setDone] = useState<string | null>(null)
  const finish = (text: string) => {
    notify(text)
    setDone(text)
  }
  return (
    <Page title={t`Withdrawal password`} back="/me1">
      {done === null ? (
        <Loaded query={info} skeleton={<SkeletonCard className="h-80" />}>
          {(data) => <Ways info={data} onDone={finish} />}
        </Loaded>
      ) : (
        <Done title={done}>
          <Trans>From now on money leaves your account with this password only.</Trans>
        </Done>
      )}
    </Page>
  )
}

function Ways({ info, onDone }: { info: InfoAnswer; onDone: (text: string) => void }) {
  const { t } = useLingui()
  const [forgotten, setForgotten] = useState(false)
  const { out_password_set: set, out_password_locked: locked, security_hold } = info
  if (!set)
    return (
      <>
        <p className="mt-2 text-t2">
          <Trans>
            Asked whenever money leaves your account, besides your log-in. Nobody at Kalos knows it, and
            nobody will ever ask you for it.
          </Trans>
        </p>
        <OutPasswordForm way="first" info={info} onDone={() => onDone(t`Withdrawal password set`)} />
      </>
    )
  const way = locked || forgotten ? "forgotten" : "change"
  return (
    <>
      {locked && (
        <Notice tone="danger">
          <Trans>
            Locked after too many wrong entries. Nothing leaves your account until you set a new one.
          </Trans>
        </Notice>
      )}
      <p className="mt-2 text-t2">
        {way === "change" ? (
          <Trans>Nobody at Kalos knows your withdrawal password, and nobody will ever ask you for it.</Trans>
        ) : (
          <Trans>
            We can't tell you the old one: nobody here knows it. A code by e-mail lets you set a new one.
          </Trans>
        )}
      </p>
      <HoldFirst hours={security_hold} />
      <OutPasswordForm
        key={way}
        way={way}
        info={info}
        onDone={() => onDone(t`New withdrawal password set`)}
      />
      {!locked && (
        <div className="mt-2">
          <Button kind="text" small onPress={() => setForgotten(!forgotten)}>
            {forgotten ? <Trans>I know the old one</Trans> : <Trans>Forgotten it?</Trans>}
          </Button>
        </div>
      )}
    </>
  )
}
