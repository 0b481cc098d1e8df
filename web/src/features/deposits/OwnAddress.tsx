import { Plural, Trans, useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import type { DepositAddress } from "../../lib/api.gen.ts"
import { copyText } from "../../lib/copying.ts"
import { DEMO } from "../../lib/mode.ts"
import { callQuery } from "../../lib/queries.ts"
import { Address, shortened } from "../../ui/Address.tsx"
import { Amount } from "../../ui/Amount.tsx"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { Icon } from "../../ui/Icon.tsx"
import type { IconName } from "../../ui/icons.ts"
import { Line } from "../../ui/Line.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Pressable } from "../../ui/Pressable.tsx"
import { Qr } from "../../ui/Qr.tsx"
import { saveQr } from "../../ui/qrCode.ts"
import { Row } from "../../ui/Row.tsx"
import { SkeletonCard } from "../../ui/SkeletonCard.tsx"
import { DemoFaucet } from "./DemoFaucet.tsx"

/** The member's own deposit address; while it isn't there, no code and no address at all. */
export function OwnAddress({ onSent }: { onSent: () => void }) {
  const { t } = useLingui()
  const address = useQuery(callQuery("/api/recharge/index", {}))
  return (
    <>
      {DEMO && (
        <Notice tone="danger">
          <Trans>
            Never send real coins here: they would be lost. This demo's coins are test coins on a chain of its
            own.
          </Trans>
        </Notice>
      )}
      <Loaded query={address} skeleton={<AddressSkeleton />}>
        {(data) => <Receive data={data} onSent={onSent} />}
      </Loaded>
      {address.error !== null && address.data === undefined && (
        <Card flush>
          <Row title={t`Customer service`} to="/me3" search={{ view: "service" }} trailing="next" />
        </Card>
      )}
    </>
  )
}

function Receive({ data, onSent }: { data: DepositAddress; onSent: () => void }) {
  const { t } = useLingui()
  const { address, asset, protocol, confirmations, contract, minimum, delayed } = data
  const share = () => void navigator.share({ text: address }).catch(() => undefined)
  return (
    <>
      {delayed && (
        <Notice tone="warn">
          <Trans>
            Top-ups show later than usual: the chain's nodes don't agree, or show no new block. Nothing is
            lost, and it goes on by itself.
          </Trans>
        </Notice>
      )}
      {!DEMO && (
        <Notice tone="warn">
          <Trans>
            Send only {asset} on {protocol}. Anything else is not credited by itself and may be lost.
          </Trans>
        </Notice>
      )}
      <Card>
        <Qr text={address} label={t`QR code of your deposit address`} />
        <div className="mt-4">
          <Address address={address} network={`${asset} · ${protocol}`} copied />
        </div>
        <div className="mt-4 flex gap-2">
          <Button icon="copy" onPress={() => void copyText(address)}>
            <Trans>Copy</Trans>
          </Button>
          {"share" in navigator && <Tile icon="share" label={t`Share`} onPress={share} />}
          <Tile icon="save" label={t`Save QR`} onPress={() => void saveQr(address, `kalos-${protocol}`)} />
        </div>
        {DEMO && <DemoFaucet onSent={onSent} />}
      </Card>
      <Notice tone="warn">
        <Trans>A withdrawal later costs a fee, which is paid in KLS.</Trans>
      </Notice>
      <Card>
        <Line name={<Trans>Minimum</Trans>}>
          <Amount value={minimum} asset={asset} least={0} />
        </Line>
        <Line name={<Trans>Credited after</Trans>}>
          <Plural value={confirmations} one="# confirmation" other="# confirmations" />
        </Line>
        <Line name={<Trans>Fee</Trans>}>
          <Trans>none</Trans>
        </Line>
        <div className="flex items-center justify-between">
          <span className="text-t2">
            <Trans>Token contract</Trans>
          </span>
          <span className="-mr-3 flex items-center font-mono text-small">
            {shortened(contract)}
            <CopyButton text={contract} label={t`Copy the contract's address`} />
          </span>
        </div>
        <p className="mt-2 border-t border-line pt-3 text-small text-t3">
          <Trans>Less than the minimum waits until what came to this address reaches it.</Trans>
        </p>
      </Card>
      <Card flush>
        <Row title={t`Wallets guide`} to="/wallet-register" trailing="next" />
      </Card>
    </>
  )
}

/** A quiet action beside the filled one, as high as that. */
function Tile({ icon, label, onPress }: { icon: IconName; label: string; onPress: () => void }) {
  return (
    <Pressable
      label={label}
      onPress={onPress}
      className="grid size-[3.25rem] shrink-0 place-items-center rounded-control bg-s2 text-t1 active:bg-s3"
    >
      <Icon name={icon} size={5} />
    </Pressable>
  )
}

function AddressSkeleton() {
  return (
    <>
      <SkeletonCard className="h-[26rem]" />
      <SkeletonCard className="h-20" />
      <SkeletonCard className="h-56" />
    </>
  )
}
