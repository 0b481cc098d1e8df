import { queryOptions, useQuery } from "@tanstack/react-query"
import { call } from "../../lib/api.ts"

const EXPIRES_EARLY = 5000

/** A fresh image captcha; never cached for another form. */
const captchaQuery = () =>
  queryOptions({
    queryKey: ["/api/auth/captcha"],
    queryFn: () => call("/api/auth/captcha", {}, { quiet: true }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: (query) => (query.state.data?.expires_at ?? 0) - EXPIRES_EARLY < Date.now(),
  })

/** The form's captcha and the way to another one. */
export function useCaptcha() {
  const { data, error, isFetching, refetch } = useQuery(captchaQuery())
  return {
    id: data?.captcha_id,
    image: isFetching ? undefined : data?.image,
    error,
    refresh: () => void refetch(),
  }
}
