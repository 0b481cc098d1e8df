import { Skeleton } from "./Skeleton.tsx"

/** Rows of a title and two lines before they are there. */
export function SkeletonTexts({ rows }: { rows: number }) {
  return (
    <div className="mt-4 rounded-card bg-s1 px-4 py-1.5">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="flex flex-col gap-2 py-3">
          <Skeleton className="h-5 w-3/5" />
          <Skeleton className="h-9 w-full" />
          <Skeleton className="h-4 w-20" />
        </div>
      ))}
    </div>
  )
}
