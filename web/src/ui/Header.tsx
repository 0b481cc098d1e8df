import { useLingui } from "@lingui/react/macro"
import { useCanGoBack, useRouter } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { HelpLink } from "./HelpLink.tsx"
import { IconButton } from "./IconButton.tsx"

interface Props {
  title: ReactNode
  /** Where Back leads when there is no history on this site. */
  back?: string | undefined
  action?: ReactNode
}

/**
 * Back, the screen's name, one quiet action, and help as the last thing.
 *
 * The name stands in the middle of the column while the wider side leaves it the room; a longer one takes what the other
 * side doesn't need, and then goes on in a second line.
 */
export function Header({ title, back, action }: Props) {
  const { t } = useLingui()
  const router = useRouter()
  const canGoBack = useCanGoBack()
  return (
    <header className="sticky top-0 z-20 grid min-h-14 grid-cols-[minmax(2.75rem,1fr)_minmax(0,auto)_1fr] items-center gap-1 bg-bg px-2">
      {back === undefined ? (
        <span />
      ) : canGoBack ? (
        <IconButton
          icon="back"
          size={5}
          label={t`Back`}
          className="justify-self-start text-t1"
          onPress={() => router.history.back()}
        />
      ) : (
        <IconButton icon="back" size={5} label={t`Back`} className="justify-self-start text-t1" to={back} />
      )}
      <h1 className="text-center text-title break-words">{title}</h1>
      <div className="flex min-w-11 items-center justify-end text-small whitespace-nowrap text-t3 max-[18rem]:whitespace-normal">
        {action}
        <HelpLink />
      </div>
    </header>
  )
}
