import { useQuery } from "@tanstack/react-query"
import { memo } from "react"
import { bannersQuery, tagOf } from "../lib/bulletins.ts"
import { atApi } from "../lib/wire/index.ts"
import { CarefulLink } from "./CarefulLink.tsx"
import { Failed } from "./Failed.tsx"
import { Icon } from "./Icon.tsx"
import { SkeletonCard } from "./SkeletonCard.tsx"

/** The first banner; nothing slides by itself. Without one nothing stands here. */
export const Banner = memo(function Banner() {
  const banners = useQuery(bannersQuery())
  const shown = banners.data?.list[0]
  if (banners.isPending) return <SkeletonCard className="h-56" />
  if (!banners.data) return <Failed problem={banners.error} onRetry={() => void banners.refetch()} />
  if (!shown) return null
  return (
    <CarefulLink
      href={shown.link}
      className="mt-4 block w-full overflow-hidden rounded-card bg-s1 text-left active:opacity-80"
    >
      {shown.picture && (
        <img
          src={atApi(shown.picture.url)}
          alt=""
          width={shown.picture.width}
          height={shown.picture.height}
          className="h-auto w-full bg-s2"
        />
      )}
      <span className="flex items-center gap-3 px-4 py-3.5" lang={tagOf(shown.lang)}>
        <span className="min-w-0 flex-1">
          <span className="block font-semibold break-words">{shown.title}</span>
          <span className="mt-0.5 block text-small break-words text-t2">{shown.summary}</span>
        </span>
        <Icon name="next" size={4} className="text-t3" />
      </span>
    </CarefulLink>
  )
})
