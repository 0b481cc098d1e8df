import { useLocation } from "@tanstack/react-router"
import { Header } from "../ui/Header.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { WITH_BAR } from "./tabs.ts"

/** A screen whose code takes its time: the tab that leads to it is lit already, so what it left mustn't stand on. */
export function PendingPage() {
  const { pathname } = useLocation()
  return (
    <>
      {WITH_BAR.has(pathname) ? (
        <Skeleton className="mx-5 mt-4 h-7 w-32 max-narrow:mx-4" />
      ) : (
        <Header title={<Skeleton className="mx-auto h-5 w-32" />} back="/home" />
      )}
      <main aria-busy="true" className="flex-1 px-5 pt-5 max-narrow:px-4">
        <Skeleton className="h-28 w-full rounded-card" />
        <Skeleton className="mt-4 h-64 w-full rounded-card" />
      </main>
    </>
  )
}
