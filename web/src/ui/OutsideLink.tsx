import type { ReactNode } from "react"
import { Icon } from "./Icon.tsx"
import { LeaveSheet } from "./LeaveSheet.tsx"
import { Row } from "./Row.tsx"
import { useSheet } from "./Sheet.tsx"

interface Props {
  href: string
  title: ReactNode
  /** The site's name stands under the title unless this says something else. */
  note?: ReactNode
}

/** A row to another site, which asks before leaving. */
export function OutsideLink({ href, title, note }: Props) {
  const sheet = useSheet(`leave ${href}`)
  return (
    <>
      <Row
        title={title}
        note={note ?? new URL(href).host}
        trailing={<Icon name="external" size={4} className="text-t3" />}
        onPress={sheet.show}
      />
      <LeaveSheet href={href} sheet={sheet} />
    </>
  )
}
