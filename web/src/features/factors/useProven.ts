import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { type Body, call, type Data, Refusal } from "../../lib/api.ts"
import { askAnew } from "../../lib/queries.ts"
import { useSlideSheet } from "../../ui/SlideSheet.tsx"

type Proven = "/api/user/upOutPwd" | "/api/user/bindGoogle" | "/api/user/unbindGoogle"

interface Does<P extends Proven> {
  body: () => Omit<Body<P>, "proof">
  onDone: (data: Data<P>) => void
  /** Returns whether it told the member at a field; what isn't told is the `problem`. */
  onRefused: (refusal: Refusal) => boolean
}

/**
 * A change that a slide allows: `slide.show()` begins it, `SlideSheet` gives its proof to `send`.
 *
 * What it changed is asked for anew, also after a failure: a lost answer may have been a success.
 */
export function useProven<P extends Proven>(path: P, { body, onDone, onRefused }: Does<P>) {
  const client = useQueryClient()
  const slide = useSlideSheet()
  const [problem, setProblem] = useState<Error | null>(null)
  const change = useMutation({
    mutationFn: (proof: string) => call(path, { ...body(), proof } as Body<P>, { quiet: true }),
    // An answer may hold what is shown once.
    gcTime: 0,
    onMutate: () => setProblem(null),
    onSuccess: onDone,
    onError: (refused) => {
      if (!(refused instanceof Refusal && onRefused(refused))) setProblem(refused)
    },
    onSettled: () => askAnew(client, "/api/user/info", "/api/user/securityLog"),
  })
  return { slide, send: change.mutate, busy: change.isPending, problem }
}
