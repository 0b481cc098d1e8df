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

/** Back, the screen's name in the middle, one quiet action, and help as the last thing. */
export function Header({ title, back, action }: Props) {
  const { t } = useLingui()
  const router = useRouter()
  const canGoBack = useCanGoBack()
  return (
    <header className="sticky top-0 z-20 grid min-h-14 grid-cols-[2.75rem_minmax(0,1fr)_auto] items-center gap-1 bg-bg px-2">
      {back === undefined ? (
        <span />
      ) : canGoBack ? (
        <IconButton
          icon="back"
          size={5}
          label={t`Back`}
          className="text-t1"
          onPress={() => router.history.back()}
        />
      ) : (
        <IconButton icon="back" size={5} label={t`Back`} className="text-t1" to={back} />
      )}
      <h1 className="text-center text-title break-words">{title}</h1>
      <div className="flex min-w-11 items-center justify-end text-small text-t3">
        {action}
        <HelpLink />
      </div>
    </header>
  )
}
