import { Trans } from "@lingui/react/macro"
import { useState } from "react"
import type { InfoAnswer } from "../../lib/api.gen.ts"
import { Button } from "../../ui/Button.tsx"
import { HoldFirst } from "../../ui/HoldFirst.tsx"
import { ConfirmForm } from "./ConfirmForm.tsx"

interface Props {
  info: InfoAnswer
  onUnbound: () => void
}

/** What a bound authenticator does, what to do without it, and the way to take it away. */
export function Bound({ info, onUnbound }: Props) {
  const [unbinding, setUnbinding] = useState(false)
  return (
    <>
      <p className="mt-2 text-t2">
        <Trans>
          Your authenticator is bound. Log-in, money and changes of your security ask for its six digits.
        </Trans>
      </p>
      <p className="mt-3 text-t2">
        <Trans>
          Phone lost? A recovery code works once in the app's place, to log in or to unbind it. For ten new
          codes, unbind it and bind it again.
        </Trans>
      </p>
      {unbinding ? (
        <>
          <HoldFirst hours={info.security_hold} />
          <ConfirmForm
            path="/api/user/unbindGoogle"
            scene="unbind"
            removes
            body={(password, google_code, email_code) => ({ password, google_code, email_code })}
            onDone={onUnbound}
            onOtherState={onUnbound}
          >
            <Trans>Unbind the authenticator</Trans>
          </ConfirmForm>
        </>
      ) : (
        <div className="mt-6">
          <Button kind="quiet" onPress={() => setUnbinding(true)}>
            <Trans>Unbind it</Trans>
          </Button>
        </div>
      )}
    </>
  )
}
