import { Trans } from "@lingui/react/macro"
import type { ReactNode } from "react"
import { Button } from "./Button.tsx"
import { Empty } from "./Empty.tsx"
import type { Target } from "./Pressable.tsx"

interface Props {
  text: ReactNode
  /** What clears the choice that leaves nothing. */
  all: Target
}

/** A choice that leaves nothing of a list, with the way back to all of it. */
export function NoneFound({ text, all }: Props) {
  return (
    <Empty
      text={text}
      action={
        <Button {...all} kind="quiet" small>
          <Trans>Show everything</Trans>
        </Button>
      }
    />
  )
}
