import { Plural } from "@lingui/react/macro"
import { Notice } from "./Notice.tsx"

/** What a change costs, said before it; nothing where the house holds nothing. */
export function HoldFirst({ hours }: { hours: number }) {
  if (hours === 0) return null
  return (
    <Notice tone="warn">
      <Plural
        value={hours}
        one="For your security this holds withdrawals for # hour. Everything else goes on."
        other="For your security this holds withdrawals for # hours. Everything else goes on."
      />
    </Notice>
  )
}
