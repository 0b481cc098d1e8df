import { type ReactNode, useEffect, useState } from "react"
import { Header } from "./Header.tsx"
import { HelpLink } from "./HelpLink.tsx"

interface Props {
  /** The screen's name: in its header and in the browser's title. */
  title: string
  back?: string
  action?: ReactNode
  /** Show the title large at the top left instead of a bar with Back: the tabs' own screens. */
  root?: boolean
  /** Something else than the standard header. */
  header?: ReactNode
  /** The action bar that stays at the bottom. */
  footer?: ReactNode
  children: ReactNode
}

// What fades in counts as shown, to the eye and to the browser, only once it has: a first screen has waited enough.
let stood = false

/** A screen: header, content in the gutter, action bar. It fades in, except for the first of a page. */
export function Page({ title, back, action, root, header, footer, children }: Props) {
  const [enters] = useState(stood)
  useEffect(() => {
    stood = true
  }, [])
  useEffect(() => {
    document.title = `${title} · Kalos`
  }, [title])
  return (
    <>
      {header ??
        (root ? (
          <RootHeader title={title} action={action} />
        ) : (
          <Header title={title} back={back} action={action} />
        ))}
      <main
        className={`flex flex-1 flex-col px-5 pb-[calc(2rem+env(safe-area-inset-bottom))] group-data-barred/column:max-rail:pb-[calc(5.5rem+env(safe-area-inset-bottom))] max-narrow:px-4 ${enters ? "animate-enter" : ""}`}
      >
        {children}
      </main>
      {footer !== undefined && (
        <div className="sticky bottom-0 z-20 bg-bg px-5 pt-3 pb-[calc(1rem+env(safe-area-inset-bottom))] max-narrow:px-4">
          {footer}
        </div>
      )}
    </>
  )
}

function RootHeader({ title, action }: { title: string; action: ReactNode }) {
  return (
    <header className="flex min-h-16 flex-wrap items-center justify-between gap-x-3 px-5 pt-2 max-narrow:px-4">
      <h1 className="text-h1">{title}</h1>
      <div className="-mr-3 ml-auto flex items-center text-small text-t3">
        {action}
        <HelpLink />
      </div>
    </header>
  )
}
