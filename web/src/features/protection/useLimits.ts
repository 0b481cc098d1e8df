import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type Body, call, type Path } from "../../lib/api.ts"
import { askAnew } from "../../lib/queries.ts"
import { limitsQuery } from "./queries.ts"

/** Change one of the limits; the answer is the new state of all. */
export function useSetLimit(onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (wanted: Body<"/api/user/setLimits">) => call("/api/user/setLimits", wanted, { quiet: true }),
    onSuccess: (limits) => {
      client.setQueryData(limitsQuery().queryKey, limits)
      onDone()
    },
  })
}

/** Stop playing for a time; ends with the state that the server then has. */
export function usePause<P extends Extract<Path, "/api/user/takeBreak" | "/api/user/selfExclude">>(
  path: P,
  onDone: () => void,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Body<P>) => call(path, body, { quiet: true }),
    onSuccess: () => {
      askAnew(client, "/api/user/limits")
      onDone()
    },
  })
}
