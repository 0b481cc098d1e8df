import { Skeleton } from "./Skeleton.tsx"

/** Rows of a list before they are there. */
export function SkeletonRows({ rows = 6 }: { rows?: number }) {
  return (
    <div className="mt-4 rounded-card bg-s1 px-4 py-1.5">
      <SkeletonLines rows={rows} />
    </div>
  )
}

/** The same inside a card that stands already. */
export function SkeletonLines({ rows }: { rows: number }) {
  return Array.from({ length: rows }, (_, index) => (
    <div key={index} className="flex min-h-14 items-center gap-3">
      <Skeleton className="size-9 rounded-full" />
      <Skeleton className="h-4 w-24" />
      <Skeleton className="ml-auto h-4 w-20" />
    </div>
  ))
}
