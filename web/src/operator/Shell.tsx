import { CanAccess, useLogout } from "@refinedev/core"
import { Outlet, useRouterState } from "@tanstack/react-router"
import { useEffect, useRef } from "react"
import { Button } from "../ui/Button.tsx"
import { Pressable } from "../ui/Pressable.tsx"
import { TextLink } from "../ui/TextLink.tsx"
import { Toasts } from "../ui/Toasts.tsx"
import { SECTIONS } from "./sections.ts"
import { useMe } from "./useMe.ts"

/** What stands around every page inside: where one can go, who is here, and the way out. */
export function Shell() {
  const me = useMe()
  const { mutate: leave, isPending } = useLogout()
  return (
    <div className="min-h-dvh desk:grid desk:grid-cols-[15rem_minmax(0,1fr)]">
      <header className="flex flex-col border-line bg-s1 max-desk:border-b desk:sticky desk:top-0 desk:h-dvh desk:border-r desk:p-4">
        <div className="flex items-center justify-between gap-3 max-desk:px-4 max-desk:pt-3 desk:block">
          <p className="font-semibold desk:px-3 desk:pt-2 desk:pb-6">
            Kalos <span className="font-normal text-t3">console</span>
          </p>
          <div className="-mr-4 flex items-center desk:hidden">
            <TextLink to="/account">Account</TextLink>
            <Button kind="text" small busy={isPending} onPress={() => leave()}>
              Log out
            </Button>
          </div>
        </div>
        <Sections />
        <div className="mt-auto hidden border-t border-line pt-4 desk:block">
          {me && (
            <Pressable to="/account" className="mb-3 block rounded-chip px-3 py-2 text-small hover:bg-s2">
              <span className="block font-medium">{me.name}</span>
              <span className="block text-t3">{me.roles.join(", ")}</span>
              <span className="block text-brand-text">Your account</span>
            </Pressable>
          )}
          <Button kind="quiet" small busy={isPending} onPress={() => leave()}>
            Log out
          </Button>
        </div>
      </header>
      <main className="min-w-0 p-4 pb-12 desk:p-8">
        <div className="mx-auto max-w-[72rem]">
          <Outlet />
        </div>
      </main>
      <div className="pointer-events-none fixed inset-x-0 top-0 z-60 flex justify-center">
        <Toasts />
      </div>
    </div>
  )
}

function Sections() {
  const here = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <nav aria-label="Sections" className="relative overflow-x-auto max-desk:px-2 max-desk:pb-2">
      <ul className="flex w-max gap-1 desk:w-auto desk:flex-col">
        {SECTIONS.map(({ path, resource, name }) => (
          <CanAccess key={path} resource={resource} action="list">
            <Section path={path} name={name} isHere={here === path} />
          </CanAccess>
        ))}
      </ul>
    </nav>
  )
}

/** On a phone all stand in one line that scrolls: where one is comes into view, whatever comes before it. */
function Section({ path, name, isHere }: { path: string; name: string; isHere: boolean }) {
  const place = useRef<HTMLLIElement>(null)
  useEffect(() => {
    const here = place.current
    const list = here?.parentElement
    const line = list?.parentElement
    if (!isHere || !here || !list || !line) return
    const show = () => {
      line.scrollLeft = here.offsetLeft - (line.clientWidth - here.offsetWidth) / 2
    }
    // The list is as wide as what stands in it, and so changes with each section that may be seen; the line with the window.
    const watcher = new ResizeObserver(show)
    watcher.observe(list)
    watcher.observe(line)
    return () => watcher.disconnect()
  }, [isHere])
  return (
    <li ref={place}>
      <Pressable
        to={path}
        aria-current={isHere ? "page" : undefined}
        className={`flex min-h-11 items-center rounded-chip px-3 text-small whitespace-nowrap ${isHere ? "bg-s3 font-medium text-t1" : "text-t2 hover:bg-s2"}`}
      >
        {name}
      </Pressable>
    </li>
  )
}
