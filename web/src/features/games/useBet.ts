import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { type Body, call, Refusal } from "../../lib/api.ts"
import { buzz } from "../../lib/haptics.ts"
import { askAnew } from "../../lib/queries.ts"
import { newRequestId } from "../../lib/requests.ts"

/** The page writes amounts as text; the call would take integers too. */
export type Order = Body<"/api/game/beton"> & { amount: string }

/**
 * A bet in two presses: `prepare` fixes it with one request id, `send` sends exactly that.
 *
 * Where no answer comes the order stays, so that another `send` asks with the same id and can't stake twice.
 * A refusal, another round or another choice ends it.
 */
export function useBet(round: string) {
  const client = useQueryClient()
  const [order, setOrder] = useState<Order | null>(null)
  const place = useMutation({
    mutationFn: (sent: Order) => call("/api/game/beton", sent, { quiet: true }),
    onSuccess: () => {
      buzz()
      setOrder(null)
      askAnew(client, "/api/game/scene", "/api/game/orderList", "/api/finance/userFinance", "/api/user/info")
    },
    onError: (problem) => {
      if (problem instanceof Refusal) setOrder(null)
      askAnew(client, "/api/game/scene")
    },
  })
  const unanswered = place.isError && !(place.error instanceof Refusal)
  const settled = !place.isPending && !unanswered
  useEffect(() => {
    if (settled && order !== null && order.round !== round) setOrder(null)
  }, [round, order, settled])
  return {
    order,
    unanswered,
    sending: place.isPending,
    problem: place.error,
    prepare: (bet: Omit<Order, "request_id">) => {
      place.reset()
      setOrder({ ...bet, request_id: newRequestId() })
    },
    send: () => {
      if (order !== null) place.mutate(order)
    },
    /** Forget it: the choice changed, or Cancel. */
    forget: () => {
      place.reset()
      setOrder(null)
    },
  }
}

export type Bet = ReturnType<typeof useBet>
