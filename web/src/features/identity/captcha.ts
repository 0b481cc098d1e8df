import { queryOptions, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { call } from "../../lib/api.ts"
import { hearing } from "../../lib/hearing.ts"

const EXPIRES_EARLY = 5000

/** A fresh captcha; never cached for another form. */
const captchaQuery = (heard: boolean) =>
  queryOptions({
    queryKey: ["/api/auth/captcha", heard],
    // The picture's is asked for ahead of the page, without fields.
    queryFn: () => call("/api/auth/captcha", heard ? { kind: "tones" } : {}, { untold: true }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: (query) => (query.state.data?.expires_at ?? 0) - EXPIRES_EARLY < Date.now(),
  })

export type Captcha = ReturnType<typeof useCaptcha>

/**
 * The form's captcha, to be seen or `heard`, the way to another one, and the turn from the one to the other: `onTurn`,
 * since what was typed answers neither.
 */
export function useCaptcha(onTurn: () => void) {
  const [heard, hear] = useState(hearing.wished)
  const { data, error, isFetching, refetch } = useQuery(captchaQuery(heard))
  return {
    id: data?.captcha_id,
    /** None while it loads, or where it didn't: the one before has been used up. */
    drawn: isFetching || error ? undefined : data,
    error,
    heard,
    refresh: () => void refetch(),
    turn: () => {
      hearing.wished = !heard
      hear(!heard)
      onTurn()
    },
  }
}
