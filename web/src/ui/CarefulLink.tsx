import { type ReactNode, useId } from "react"
import { ownTarget } from "../lib/bulletins.ts"
import { LeaveSheet } from "./LeaveSheet.tsx"
import { Pressable } from "./Pressable.tsx"
import { useSheet } from "./Sheet.tsx"

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
  if (!URL.canParse(href)) return children
  return (
    <Leaving href={href} className={className}>
      {children}
    </Leaving>
  )
}

function Leaving({ href, className, children }: Props) {
  const sheet = useSheet(`leave ${useId()}`)
  return (
    <>
      <Pressable onPress={sheet.show} className={className}>
        {children}
      </Pressable>
      <LeaveSheet href={href} sheet={sheet} />
    </>
  )
}
