import { Skeleton } from "../../ui/Skeleton.tsx"

/** Where the actions come, or the steps of who has yet to begin. */
export function ActionsSkeleton() {
  return (
    <div aria-busy="true">
      <Skeleton className="mt-5 h-[4.25rem] w-full" />
    </div>
  )
}
