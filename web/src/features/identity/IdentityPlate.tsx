import { Trans, useLingui } from "@lingui/react/macro"
import type { InfoAnswer } from "../../lib/api.gen.ts"
import { formatDay } from "../../lib/time.ts"
import { Button } from "../../ui/Button.tsx"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { Plate } from "../../ui/Plate.tsx"
import { useShare } from "../../ui/sharing.ts"
import { Tag } from "../../ui/Tag.tsx"

/** The member's card: account, e-mail, and the code that invites others. */
export function IdentityPlate({ info }: { info: InfoAnswer }) {
  const { t } = useLingui()
  const share = useShare()
  return (
    <>
      <Plate seed={info.account}>
        <p className="text-small text-t3">
          <Trans>Account</Trans>
        </p>
        <div className="-mt-1 flex items-center">
          <p className="font-mono text-h1">{info.account}</p>
          <CopyButton text={info.account} label={t`Copy the account number`} />
        </div>
        <p className="mt-1 text-small break-all text-t2">{info.email}</p>
        <p className="mt-3 flex flex-wrap gap-2">
          <Tag>
            <Trans>Level {info.level}</Trans>
          </Tag>
          <Tag tone={info.vip_level > 0 ? "gold" : "quiet"}>
            <Trans>VIP {info.vip_level}</Trans>
          </Tag>
        </p>
        <div className="mt-8 flex flex-wrap items-start justify-between gap-4">
          <div>
            <p className="text-small text-t3">
              <Trans>Invitation code</Trans>
            </p>
            <div className="-my-2 flex min-h-11 items-center">
              <p className="font-mono text-title">{info.invite_code}</p>
              <CopyButton text={info.invite_code} label={t`Copy the invitation code`} />
            </div>
          </div>
          <div className="text-right text-small text-t3">
            <p>
              <Trans>Member since</Trans>
            </p>
            <p className="-my-2 flex min-h-11 items-center justify-end text-t2">
              {formatDay(info.registered_at)}
            </p>
          </div>
        </div>
      </Plate>
      <div className="mt-4">
        <Button kind="quiet" small icon="share" onPress={() => share(info.invite_link)}>
          <Trans>Share the invitation link</Trans>
        </Button>
      </div>
    </>
  )
}
