import { type ReactNode, useEffect } from "react"

interface Props {
  title: string
  /** One sentence: what is done here. */
  about: string
  action?: ReactNode
  children: ReactNode
}

/** A page inside: its title, what it is for, its one action. */
export function Page({ title, about, action, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Kalos operator console`
  }, [title])
  return (
    <>
      <div className="mb-5 flex flex-wrap items-end justify-between gap-3">
        <div>
          <h1 className="text-h1">{title}</h1>
          <p className="text-small text-t3">{about}</p>
        </div>
        {action}
      </div>
      {children}
    </>
  )
}
