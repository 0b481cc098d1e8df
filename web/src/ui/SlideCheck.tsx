import { queryOptions, useMutation, useQuery } from "@tanstack/react-query"
import { call, Refusal } from "../lib/api.ts"
import { Notice } from "./Notice.tsx"
import { SlideCaptcha, type SlideState } from "./SlideCaptcha.tsx"
import type { Track } from "./slideTrack.ts"

const SEEN_MS = 500

const slideQuery = () =>
  queryOptions({
    queryKey: ["/api/auth/slide"],
    queryFn: () => call("/api/auth/slide", {}, { untold: true }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })

/** A slide from the server and its judgement: a picture counts once, so that after a miss there is another. */
export default function SlideCheck({ onProof }: { onProof: (proof: string) => void }) {
  const slide = useQuery(slideQuery())
  const verify = useMutation({
    mutationFn: ({ x, track }: { x: number; track: Track }) =>
      call("/api/auth/slideVerify", { captcha_id: slide.data?.captcha_id ?? "", x, track }, { quiet: true }),
    // Long enough to be seen.
    onSuccess: ({ proof }) => void setTimeout(() => onProof(proof), SEEN_MS),
    onError: () => void slide.refetch(),
  })
  const picture = slide.isFetching ? undefined : slide.data
  const failed =
    slide.error ?? (verify.error instanceof Refusal && isJudged(verify.error) ? null : verify.error)
  return (
    <div data-slide={picture?.captcha_id}>
      <SlideCaptcha
        key={slide.data?.captcha_id}
        picture={picture}
        state={stateOf(verify)}
        onLeave={(x, track) => verify.mutate({ x, track })}
        onRefresh={() => {
          verify.reset()
          void slide.refetch()
        }}
      />
      {failed && <Notice tone="danger">{failed.message}</Notice>}
    </div>
  )
}

const isJudged = ({ error }: Refusal) => error === "wrong_captcha" || error === "captcha_expired"

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
