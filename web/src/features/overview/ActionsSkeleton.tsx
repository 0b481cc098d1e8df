import { Skeleton } from "../../ui/Skeleton.tsx"

/** Where the actions come, or the steps of who has yet to begin. */
export function ActionsSkeleton() {
  return (
    <div aria-busy="true" className="mt-5 flex gap-2">
      <Skeleton className="h-[4.25rem] flex-1" />
      <Skeleton className="h-[4.25rem] flex-1" />
      <Skeleton className="h-[4.25rem] flex-1" />
    </div>
  )
}
