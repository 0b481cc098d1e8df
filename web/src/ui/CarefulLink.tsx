import { Trans, useLingui } from "@lingui/react/macro"
import { type ReactNode, useId } from "react"
import { ownTarget } from "../lib/bulletins.ts"
import { Button } from "./Button.tsx"
import { Pressable } from "./Pressable.tsx"
import { Sheet, useSheet } from "./Sheet.tsx"

interface Props {
  /** http(s), or a page of ours, which begins with a stroke. */
  href: string
  className?: string | undefined
  children: ReactNode
}

/** A link in what somebody wrote: pages of ours open inside, others say first where they lead. */
export function CarefulLink({ href, className, children }: Props) {
  const own = ownTarget(href)
  if (own !== null)
    return (
      <Pressable {...own} className={className}>
        {children}
      </Pressable>
    )
  return (
    <OutsideLink href={href} className={className}>
      {children}
    </OutsideLink>
  )
}

function OutsideLink({ href, className, children }: Props) {
  const { t } = useLingui()
  const sheet = useSheet(`leave ${useId()}`)
  if (!URL.canParse(href)) return children
  const { host } = new URL(href)
  return (
    <>
      <Pressable onPress={sheet.show} className={className}>
        {children}
      </Pressable>
      <Sheet sheet={sheet} title={t`You are leaving Kalos`}>
        <p className="text-t2">
          <Trans>This link leads to another site. We don't know what it asks of you there.</Trans>
        </p>
        <p className="mt-3 rounded-chip bg-s2 px-3 py-2.5 text-small break-all" translate="no">
          {href}
        </p>
        <div className="mt-5 flex flex-col gap-2">
          <Button href={href} onPress={sheet.hide}>
            <Trans>Open {host}</Trans>
          </Button>
          <Button kind="quiet" onPress={sheet.hide}>
            <Trans>Stay here</Trans>
          </Button>
        </div>
      </Sheet>
    </>
  )
}
