import { Trans, useLingui } from "@lingui/react/macro"
import { useBlocker } from "@tanstack/react-router"
import { useState } from "react"
import { copyText } from "../../lib/copying.ts"
import { getToken } from "../../lib/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Check } from "../../ui/Check.tsx"
import { Page } from "../../ui/Page.tsx"

/** The ten recovery codes, this once: nothing leads away from them before they are kept, but the session's end. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
  const { t } = useLingui()
  const [kept, setKept] = useState(false)
  const [missed, setMissed] = useState(false)
  useBlocker({
    shouldBlockFn: () => {
      const stays = !kept && getToken() !== null
      setMissed(stays)
      return stays
    },
    enableBeforeUnload: () => !kept && getToken() !== null,
  })
  const first = t`Keep the codes first: they are shown only this once.`
  return (
    <Page
      title={t`Recovery codes`}
      footer={
        <Button to="/me1" {...(!kept && { disabled: true, reason: first })}>
          <Trans>Back to the security centre</Trans>
        </Button>
      }
    >
      <p className="mt-2 text-t2">
        <Trans>
          The authenticator is bound. If you lose your phone, each of these codes works once in its place.
          Write them down or keep them in a password manager, not on the same phone.
        </Trans>
      </p>
      <Card>
        <ol
          className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-x-4 gap-y-2 font-mono"
          translate="no"
        >
          {codes.map((code) => (
            <li key={code} data-recovery>
              {code}
            </li>
          ))}
        </ol>
        <div className="mt-4">
          <Button kind="quiet" small icon="copy" onPress={() => void copyText(codes.join("\n"))}>
            <Trans>Copy all ten</Trans>
          </Button>
        </div>
      </Card>
      <Check checked={kept} onChange={setKept} {...(missed && !kept && { error: first })}>
        <Trans>I have kept the codes where I find them without this phone</Trans>
      </Check>
    </Page>
  )
}
