import { Skeleton } from "../../ui/Skeleton.tsx"
import { SkeletonCard } from "../../ui/SkeletonCard.tsx"

/** The room in its final geometry. */
export function RoomSkeleton() {
  return (
    <>
      <div className="mt-4 flex items-center gap-5">
        <span aria-hidden="true" className="size-[6.5rem] shrink-0 animate-breathe rounded-full bg-s1" />
        <div className="flex-1">
          <Skeleton className="h-4 w-24" />
          <Skeleton className="mt-2 h-6 w-28" />
          <Skeleton className="mt-2 h-4 w-32" />
        </div>
      </div>
      <SkeletonCard className="h-36" />
      <SkeletonCard className="h-12" />
      <div className="grid grid-cols-2 gap-2.5">
        <SkeletonCard className="h-18" />
        <SkeletonCard className="h-18" />
      </div>
    </>
  )
}
