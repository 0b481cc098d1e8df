import { Skeleton } from "../ui/Skeleton.tsx"

/** A page whose code takes its time: what stands around it is there. */
export function PendingPage() {
  return (
    <div aria-busy="true">
      <Skeleton className="mb-2 h-8 w-48" />
      <Skeleton className="mb-5 h-4 w-72 max-w-full" />
      <Skeleton className="h-64 w-full rounded-card" />
    </div>
  )
}
