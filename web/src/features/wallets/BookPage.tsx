import { Trans, useLingui } from "@lingui/react/macro"
import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useCanGoBack, useRouter, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { choose } from "../../lib/choosing.ts"
import { infoQuery, rowsOf } from "../../lib/queries.ts"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { InfiniteList } from "../../ui/InfiniteList.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Page } from "../../ui/Page.tsx"
import { Row } from "../../ui/Row.tsx"
import { Sheet, useSheet } from "../../ui/Sheet.tsx"
import { SkeletonCard } from "../../ui/SkeletonCard.tsx"
import { AddAddress } from "./AddAddress.tsx"
import { BookEntry } from "./BookEntry.tsx"
import { bookQuery, chainsQuery, waitHoursOf } from "./queries.ts"
import { RemoveAddress } from "./RemoveAddress.tsx"

/** /address3: where withdrawals may go. With `?pick` one is chosen for a withdrawal. */
export default function BookPage() {
  const { t } = useLingui()
  const { pick } = useSearch({ from: "/address3" })
  const choosing = useChoosing()
  const info = useQuery(infoQuery())
  const chains = useQuery(chainsQuery())
  const book = useInfiniteQuery(bookQuery())
  const rows = rowsOf(book.data)
  const [chosen, setChosen] = useState<string | null>(null)
  const going = rows.find(({ id }) => id === chosen)
  const waitHours = waitHoursOf(book.data?.pages[0])
  const locked = info.data?.out_password_set === false
  const mayAdd = info.data?.out_password_set && waitHours !== undefined
  const adding = useSheet("add", !locked)
  const removing = useSheet("remove", going !== undefined)
  const nameOf = (id: number) => chains.data?.list.find(({ chain_id }) => chain_id === id)?.name ?? `${id}`
  return (
    <Page
      title={pick ? t`Choose an address` : t`Withdrawal addresses`}
      back={pick ? "/node4" : "/me"}
      footer={
        mayAdd && (
          <Button icon="plus" onPress={adding.show}>
            <Trans>Add an address</Trans>
          </Button>
        )
      }
    >
      <p className="mt-2 text-small text-t2">
        <Trans>
          Withdrawals go to these addresses alone. One that you don't know? Delete it, and end your other
          sessions.
        </Trans>
      </p>
      {locked && (
        <Notice tone="warn">
          <p>
            <Trans>You need a withdrawal password before you can add an address.</Trans>
          </p>
          <div className="mt-3">
            <Button small to="/me1" search={{ view: "withdraw" }}>
              <Trans>Set a withdrawal password</Trans>
            </Button>
          </div>
        </Notice>
      )}
      <InfiniteList
        // What stands above it is known first, and what stands below it comes after: nothing moves.
        query={info.isPending ? { ...book, data: undefined } : book}
        keyOf={({ id }) => id}
        skeleton={[1, 2].map((key) => <SkeletonCard key={key} className="h-40" />)}
        empty={
          <Empty
            text={<Trans>No address yet. Add the one of your own wallet first.</Trans>}
            action={
              <Button kind="quiet" small to="/wallet-register">
                <Trans>How to get a wallet</Trans>
              </Button>
            }
          />
        }
        row={(row) => (
          <BookEntry
            row={row}
            network={nameOf(row.chain)}
            newest={rows.length > 1 && row === rows[0]}
            onPick={pick && (() => choosing(row.id))}
            onRemove={() => {
              setChosen(row.id)
              removing.show()
            }}
          />
        )}
      />
      {!info.isPending && !book.isPending && (
        <Card flush>
          <Row title={t`Wallets guide`} to="/wallet-register" trailing="next" />
          <Row title={t`Security centre`} to="/me1" trailing="next" />
        </Card>
      )}
      <Sheet sheet={adding} title={t`Add an address`}>
        {mayAdd && (
          <Loaded query={chains} skeleton={<SkeletonCard className="h-80" />}>
            {({ list: [chain] }) =>
              chain && (
                <AddAddress
                  chain={chain}
                  waitHours={waitHours}
                  known={rows.map(({ address }) => address)}
                  onDone={adding.hide}
                />
              )
            }
          </Loaded>
        )}
      </Sheet>
      <Sheet sheet={removing} title={t`Delete this address?`}>
        {going && <RemoveAddress row={going} network={nameOf(going.chain)} onDone={removing.hide} />}
      </Sheet>
    </Page>
  )
}

/** Gives a chosen address to the form that asked for it, and goes back there. */
function useChoosing(): (id: string) => void {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  return (id) => {
    choose(id)
    if (canGoBack) router.history.back()
    else void router.navigate({ to: "/node4", replace: true })
  }
}
