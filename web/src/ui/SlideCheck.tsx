import { queryOptions, useMutation, useQuery } from "@tanstack/react-query"
import { useEffect, useEffectEvent, useState } from "react"
import { call, Refusal } from "../lib/api.ts"
import { hearing } from "../lib/hearing.ts"
import { HeardTurn } from "./HeardTurn.tsx"
import { Notice } from "./Notice.tsx"
import { SlideCaptcha } from "./SlideCaptcha.tsx"
import { SlideTones } from "./SlideTones.tsx"
import type { SlideState } from "./slideState.ts"
import type { Track } from "./slideTrack.ts"

const SEEN_MS = 500

const slideQuery = (heard: boolean) =>
  queryOptions({
    queryKey: ["/api/auth/slide", heard],
    queryFn: () => call("/api/auth/slide", heard ? { kind: "tones" } : {}, { untold: true }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })

/**
 * A slide from the server, or tones for whoever can't see it, and the judgement: each counts once, so that after a miss
 * there is another.
 */
export default function SlideCheck({ onProof }: { onProof: (proof: string) => void }) {
  const [heard, hear] = useState(hearing.wished)
  const slide = useQuery(slideQuery(heard))
  const verify = useMutation({
    mutationFn: (answer: { x: number; track: Track } | { code: string }) =>
      call("/api/auth/slideVerify", { captcha_id: slide.data?.captcha_id ?? "", ...answer }, { quiet: true }),
    onError: () => void slide.refetch(),
  })
  const prove = useEffectEvent(onProof)
  const proof = verify.data?.proof
  // Long enough to be seen; whoever leaves meanwhile, or while it is judged, has called off what it was for.
  useEffect(() => {
    if (proof === undefined) return
    const timer = setTimeout(() => prove(proof), SEEN_MS)
    return () => clearTimeout(timer)
  }, [proof])
  const drawn = slide.isFetching ? undefined : slide.data
  const again = () => {
    verify.reset()
    void slide.refetch()
  }
  const failed =
    slide.error ?? (verify.error instanceof Refusal && isJudged(verify.error) ? null : verify.error)
  return (
    <div data-slide={drawn?.captcha_id}>
      {heard ? (
        <SlideTones
          drawn={drawn}
          state={stateOf(verify)}
          onCount={(code) => verify.mutate({ code })}
          onRefresh={again}
        />
      ) : (
        <SlideCaptcha
          key={slide.data?.captcha_id}
          picture={drawn && pictureOf(drawn)}
          state={stateOf(verify)}
          onLeave={(x, track) => verify.mutate({ x, track })}
          onRefresh={again}
        />
      )}
      {failed && <Notice tone="danger">{failed.message}</Notice>}
      {/* What is being judged stays what is shown: its verdict may bring another one, or end all of it. */}
      <div className={`mt-4 ${verify.isPending || verify.isSuccess ? "invisible" : ""}`}>
        <HeardTurn
          heard={heard}
          onTurn={() => {
            verify.reset()
            hearing.wished = !heard
            hear(!heard)
          }}
        />
      </div>
    </div>
  )
}

const isJudged = ({ error }: Refusal) => error === "wrong_captcha" || error === "captcha_expired"

function pictureOf({
  background,
  piece,
  y,
}: {
  background: string | null
  piece: string | null
  y: number | null
}) {
  return background !== null && piece !== null && y !== null ? { background, piece, y } : undefined
}

function stateOf({
  isPending,
  isSuccess,
  error,
}: {
  isPending: boolean
  isSuccess: boolean
  error: Error | null
}): SlideState {
  if (isPending) return "checking"
  if (isSuccess) return "done"
  if (error instanceof Refusal && error.error === "captcha_expired") return "expired"
  return error instanceof Refusal && isJudged(error) ? "missed" : "ready"
}
