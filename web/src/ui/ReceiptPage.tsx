import { Trans, useLingui } from "@lingui/react/macro"
import { type ReactNode, useEffect, useId, useRef } from "react"
import { isZero } from "../lib/money.ts"
import type { Receipt } from "../lib/receipts.ts"
import { formatDateTime } from "../lib/time.ts"
import { Amount } from "./Amount.tsx"
import { Button } from "./Button.tsx"
import { Card } from "./Card.tsx"
import { CopyButton } from "./CopyButton.tsx"
import { IdRibbon } from "./IdRibbon.tsx"
import { Line } from "./Line.tsx"
import { Page } from "./Page.tsx"
import type { Target } from "./Pressable.tsx"
import { StatusChip } from "./StatusChip.tsx"
import { shareText } from "./sharing.ts"

interface Props {
  receipt: Receipt
  /** What was done: "Sent to 10000003". */
  title: string
  /** Where Back leads without a history: the form. */
  back: string
  /** What else the call answered. */
  children?: ReactNode
  /** What stands before the figure that arrives, where it hasn't arrived yet. */
  received?: ReactNode
  next: Target & { label: ReactNode }
}

/** What came of a payment, as a page: status, figures, number to copy, the way on. */
export function ReceiptPage({
  receipt,
  title,
  back,
  children,
  received: receives,
  next: { label, ...next },
}: Props) {
  const { t } = useLingui()
  const top = useRef<HTMLElement>(null)
  const name = useId()
  // The form and its sheet are gone, and with them what had the focus: what came of it takes it, and is read out.
  useEffect(() => {
    if (document.activeElement === document.body) top.current?.focus({ preventScroll: true })
  }, [])
  const { id, asset, amount, fee, fee_asset, received, balance, at } = receipt
  const text = `Kalos · ${title} · ${amount} ${asset} · ${id}`
  return (
    <Page title={t`Receipt`} back={back}>
      <div className="mt-2">
        <IdRibbon id={id} />
      </div>
      <section
        ref={top}
        tabIndex={-1}
        aria-labelledby={`${name}-title ${name}-status`}
        className="mt-6 flex flex-col items-start gap-2 outline-none"
      >
        <p id={`${name}-title`} className="text-t2">
          {title}
        </p>
        <Amount value={amount} asset={asset} display private least={0} />
        <span id={`${name}-status`} className="flex">
          <StatusChip status={receipt.status} />
        </span>
      </section>
      <Card>
        {children}
        {!isZero(fee) && (
          <Line name={<Trans>Fee</Trans>}>
            <Amount value={fee} asset={fee_asset} least={0} private />
          </Line>
        )}
        <Line name={receives ?? <Trans>Received</Trans>}>
          <Amount value={received} asset={asset} least={0} private />
        </Line>
        <Line name={<Trans>Balance after</Trans>}>
          <Amount value={balance} asset={asset} private />
        </Line>
        <Line name={<Trans>Time</Trans>}>{formatDateTime(at)}</Line>
        <div className="flex items-center justify-between">
          <span className="text-t2">
            <Trans>Number</Trans>
          </span>
          <span className="-mr-3 flex min-w-0 items-center font-mono text-small break-all">
            {id}
            <CopyButton text={id} label={t`Copy the receipt's number`} />
          </span>
        </div>
      </Card>
      <div className="mt-6 flex flex-col gap-2">
        <Button {...next}>{label}</Button>
        <Button kind="quiet" icon="share" onPress={() => shareText(text)}>
          <Trans>Share</Trans>
        </Button>
      </div>
    </Page>
  )
}
