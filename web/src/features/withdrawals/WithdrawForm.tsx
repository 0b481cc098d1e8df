import { useQuery } from "@tanstack/react-query"
import { infoQuery } from "../../lib/queries.ts"
import { Loaded } from "../../ui/Loaded.tsx"
import { SkeletonCard } from "../../ui/SkeletonCard.tsx"
import { FormFields } from "./FormFields.tsx"
import { chainsQuery, termsQuery } from "./queries.ts"
import type { Coin } from "./search.ts"

interface Props {
  coin: Coin
  wallet: string | undefined
  onWallet: (id: string) => void
  typed: string | undefined
  onType: (text: string) => void
}

const PRICE_MS = 15_000

/** Whereto, how much, what it costs; nothing of it stands before all that it follows from is known. */
export function WithdrawForm({ coin, ...props }: Props) {
  const terms = useQuery({ ...termsQuery(), refetchInterval: PRICE_MS })
  const info = useQuery(infoQuery())
  const chains = useQuery(chainsQuery())
  const known = info.data !== undefined && chains.data !== undefined
  // What is missing besides the terms is asked for again with them.
  const all = {
    ...terms,
    data: known ? terms.data : undefined,
    error: terms.error ?? info.error ?? chains.error,
    isFetching: terms.isFetching || info.isFetching || chains.isFetching,
    refetch: () => Promise.all([terms.refetch(), info.refetch(), chains.refetch()]),
  }
  return (
    <Loaded query={all} skeleton={<FormSkeleton />}>
      {(data) =>
        info.data && chains.data ? (
          <FormFields
            key={coin}
            coin={coin}
            terms={data}
            info={info.data}
            chains={chains.data.list}
            {...props}
          />
        ) : null
      }
    </Loaded>
  )
}

function FormSkeleton() {
  return (
    <>
      <SkeletonCard className="h-24" />
      <SkeletonCard className="h-24" />
      <SkeletonCard className="h-56" />
    </>
  )
}
