import type { ReactNode } from "react"
import { Button } from "./Button.tsx"
import { LeaveSheet } from "./LeaveSheet.tsx"
import { useSheet } from "./Sheet.tsx"

/** A quiet button to another site, which asks before leaving. */
export function OutsideButton({ href, children }: { href: string; children: ReactNode }) {
  const sheet = useSheet("leave")
  return (
    <>
      <Button kind="quiet" icon="external" onPress={sheet.show}>
        {children}
      </Button>
      <LeaveSheet href={href} sheet={sheet} />
    </>
  )
}
