import { Trans, useLingui } from "@lingui/react/macro"
import { copyText } from "../lib/copying.ts"
import { Button } from "./Button.tsx"
import { Sheet, type useSheet } from "./Sheet.tsx"

/** Asks before another site is opened: its whole address, with the site's name lit in it. */
export function LeaveSheet({ href, sheet }: { href: string; sheet: ReturnType<typeof useSheet> }) {
  const { t } = useLingui()
  const { host } = new URL(href)
  const [before, after] = [href.slice(0, href.indexOf(host)), href.slice(href.indexOf(host) + host.length)]
  return (
    <Sheet
      sheet={sheet}
      title={t`You leave Kalos`}
      footer={
        <div className="flex flex-col gap-2">
          <Button href={href} icon="external" onPress={sheet.hide}>
            <Trans>Open {host}</Trans>
          </Button>
          <Button kind="quiet" icon="copy" onPress={() => void copyText(href)}>
            <Trans>Copy the address</Trans>
          </Button>
        </div>
      }
    >
      <p
        className="rounded-chip bg-s2 px-4 py-3 font-mono break-all text-t3"
        translate="no"
        data-leave={href}
      >
        {before}
        <b className="font-semibold text-t1">{host}</b>
        {after}
      </p>
      <p className="mt-3 text-t2">
        <Trans>
          This site isn't ours. Check its address, and never type your Kalos password or your recovery words
          there.
        </Trans>
      </p>
    </Sheet>
  )
}
