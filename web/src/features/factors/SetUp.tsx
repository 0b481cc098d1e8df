import { Trans, useLingui } from "@lingui/react/macro"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { call } from "../../lib/api.ts"
import { askAnew } from "../../lib/queries.ts"
import { useNow } from "../../lib/ticking.ts"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Problem } from "../../ui/Problem.tsx"
import { Row } from "../../ui/Row.tsx"
import { ConfirmForm } from "./ConfirmForm.tsx"
import { SecretCard } from "./SecretCard.tsx"

const LIVES_MS = 10 * 60_000

/** What an authenticator is for; then a secret that waits ten minutes to be bound, and another after it. */
export function SetUp({ onBound }: { onBound: (codes: string[]) => void }) {
  const { t } = useLingui()
  const client = useQueryClient()
  const [until, setUntil] = useState(0)
  const now = useNow()
  // Not a query: asked for anew by itself, it would void the secret that the app just took.
  const secret = useMutation({
    mutationFn: () => call("/api/user/google", {}, { quiet: true }),
    gcTime: 0,
    onSuccess: () => setUntil(Date.now() + LIVES_MS),
    onError: () => askAnew(client, "/api/user/info"),
  })
  if (secret.data !== undefined && now < until)
    return (
      <>
        {/* The clock ticks once a second: what came since its last tick doesn't live a second more. */}
        <SecretCard shown={secret.data} left={Math.min(LIVES_MS, until - now)} />
        <Card title={<Trans>Confirm that it's you</Trans>}>
          <ConfirmForm
            path="/api/user/bindGoogle"
            scene="google"
            body={(password, code, email_code) => ({ password, code, email_code })}
            onDone={({ recovery_codes }) => onBound(recovery_codes)}
            onOtherState={() => setUntil(0)}
          >
            <Trans>Bind the authenticator</Trans>
          </ConfirmForm>
        </Card>
      </>
    )
  return (
    <>
      <p className="mt-2 text-t2">
        <Trans>
          An app on your phone shows six new digits every 30 seconds. With it, log-in and money ask for these
          digits too: whoever steals a password can't do anything with it alone.
        </Trans>
      </p>
      <Card flush>
        <Row
          icon={<Icon name="save" size={5} className="text-t2" />}
          title={<Trans>Authenticator apps</Trans>}
          note={t`If you have none yet`}
          to="/software-download"
          trailing="next"
        />
      </Card>
      {secret.data !== undefined && (
        <Notice tone="warn">
          <Trans>
            The secret has expired: one is good for ten minutes. Delete its entry in your app, and go on with
            a new one.
          </Trans>
        </Notice>
      )}
      <div className="mt-6">
        <Problem problem={secret.error} />
        <Button busy={secret.isPending} onPress={() => secret.mutate()}>
          {secret.data === undefined ? <Trans>Set it up</Trans> : <Trans>Show a new secret</Trans>}
        </Button>
      </div>
    </>
  )
}
