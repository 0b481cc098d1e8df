import { Trans, useLingui } from "@lingui/react/macro"
import type { ShownAnswer } from "../../lib/api.gen.ts"
import { copyExactly } from "../../lib/copying.ts"
import { formatLeft } from "../../lib/ticking.ts"
import { grouped } from "../../ui/Address.tsx"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { Qr } from "../../ui/Qr.tsx"

interface Props {
  shown: ShownAnswer
  /** How long it can still be bound, in milliseconds. */
  left: number
}

/** A secret in the three ways into an app: its picture, a link on this phone, and its letters. */
export function SecretCard({ shown, left }: Props) {
  const { t } = useLingui()
  const time = formatLeft(left)
  return (
    <Card
      title={<Trans>Add it to your app</Trans>}
      note={
        <span className="tabular-nums">
          <Trans>good for {time}</Trans>
        </span>
      }
    >
      <Qr text={shown.otpauth} label={t`QR code for the authenticator`} />
      <div className="mt-4">
        <Button kind="quiet" icon="external" href={shown.otpauth}>
          <Trans>Open my authenticator</Trans>
        </Button>
      </div>
      <p className="mt-4 text-small text-t3">
        <Trans>Or type the secret into the app. Show it to nobody.</Trans>
      </p>
      <div className="-mr-3 flex items-center justify-between gap-2">
        <p
          className="flex flex-wrap gap-x-2 font-mono"
          translate="no"
          data-secret={shown.secret}
          onCopy={(event) => copyExactly(event, shown.secret)}
        >
          {grouped(shown.secret).map((group, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one secret never change places
            <span key={index}>{group}</span>
          ))}
        </p>
        <CopyButton text={shown.secret} label={t`Copy the secret`} />
      </div>
    </Card>
  )
}
