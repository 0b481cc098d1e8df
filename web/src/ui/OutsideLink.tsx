import { Trans, useLingui } from "@lingui/react/macro"
import type { ReactNode } from "react"
import { copyText } from "../lib/copying.ts"
import { Button } from "./Button.tsx"
import { Icon } from "./Icon.tsx"
import { Row } from "./Row.tsx"
import { Sheet, useSheet } from "./Sheet.tsx"

interface Props {
  href: string
  title: ReactNode
  /** The site's name stands under the title unless this says something else. */
  note?: ReactNode
}

/** A row to another site. It asks before leaving, with the whole address and the site's name lit in it. */
export function OutsideLink({ href, title, note }: Props) {
  const { t } = useLingui()
  const sheet = useSheet(`leave ${href}`)
  const { host } = new URL(href)
  const [before, after] = [href.slice(0, href.indexOf(host)), href.slice(href.indexOf(host) + host.length)]
  return (
    <>
      <Row
        title={title}
        note={note ?? host}
        trailing={<Icon name="external" size={4} className="text-t3" />}
        onPress={sheet.show}
      />
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
        <p className="rounded-chip bg-s2 px-4 py-3 font-mono break-all text-t3" data-leave={href}>
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
    </>
  )
}
