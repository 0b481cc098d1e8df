import { Trans, useLingui } from "@lingui/react/macro"
import { useMutation } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { call, Refusal } from "../../lib/api.ts"
import { endSession } from "../../lib/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Page } from "../../ui/Page.tsx"
import { TextLink } from "../../ui/TextLink.tsx"
import { DoorHeader } from "./DoorHeader.tsx"

const DONE = "done"

/** /login?freeze=: the link of a security mail. Says what freezing does, does it, and says how it opens again. */
export default function FreezePage({ token }: { token: string }) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const freeze = useMutation({
    mutationFn: () => call("/api/auth/freeze", { token }, { quiet: true }),
    // In the address, since the page is made anew with the session's end.
    onSuccess: async () => {
      await navigate({ to: "/login", search: { freeze: DONE }, replace: true })
      void endSession()
    },
  })
  const gone = freeze.error instanceof Refusal && freeze.error.error === "code_expired"
  if (token === DONE) {
    return (
      <Page title={t`Account frozen`} header={<DoorHeader title={t`Account frozen`} />}>
        <p className="mt-4 text-t2">
          <Trans>
            Every device is logged out. Nobody can log in or move money, whoever knows the password. To open
            the account again, set a new password: you need your e-mail, and your authenticator if you have
            one.
          </Trans>
        </p>
        <div className="mt-6">
          <Button to="/login" search={{ view: "forgot" }}>
            <Trans>Set a new password</Trans>
          </Button>
        </div>
      </Page>
    )
  }
  return (
    <Page title={t`Freeze the account`} header={<DoorHeader title={t`Freeze the account`} />}>
      <p className="mt-4 text-t2">
        <Trans>
          Did a mail tell you of something that you didn't do? Freezing logs out every device at once, and
          nobody can log in or move money until a new password is set by e-mail.
        </Trans>
      </p>
      <p className="mt-3 text-t2">
        <Trans>What runs goes on: open orders, bets and investments stay as they are.</Trans>
      </p>
      {gone ? (
        <Notice tone="danger">
          <Trans>
            This link was used already, or is older than 72 hours. You can still set a new password.
          </Trans>
        </Notice>
      ) : (
        freeze.error && <Notice tone="danger">{freeze.error.message}</Notice>
      )}
      <div className="mt-6">
        {gone ? (
          <Button to="/login" search={{ view: "forgot" }}>
            <Trans>Set a new password</Trans>
          </Button>
        ) : (
          <Button kind="danger" busy={freeze.isPending} onPress={() => freeze.mutate()}>
            <Trans>Freeze my account</Trans>
          </Button>
        )}
      </div>
      <p className="mt-5 text-center text-t3">
        <TextLink to="/login">
          <Trans>It was me, do nothing</Trans>
        </TextLink>
      </p>
    </Page>
  )
}
