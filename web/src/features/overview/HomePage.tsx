import { useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import { useAccountUpdates } from "../../lib/account.ts"
import { financeQuery } from "../../lib/queries.ts"
import { usePace, useRoundUpdates } from "../../lib/rounds.ts"
import { ActionTile } from "../../ui/ActionTile.tsx"
import { InstallOffer } from "../../ui/InstallOffer.tsx"
import { Page } from "../../ui/Page.tsx"
import { ServiceTile } from "../../ui/ServiceTile.tsx"
import { Banner } from "./Banner.tsx"
import { BulletinLine } from "./BulletinLine.tsx"
import { begins } from "./begins.ts"
import { HomeHeader } from "./HomeHeader.tsx"
import { KlsPrice } from "./KlsPrice.tsx"
import { LiveRound } from "./LiveRound.tsx"
import { Movements } from "./Movements.tsx"
import { Starter } from "./Starter.tsx"
import { Total } from "./Total.tsx"
import { useMovements } from "./useMovements.ts"

const MOST = 3

// Income, search, markets, the citizen card, the ranking and the other services come with their domains.
/** /home: what I have, what runs now, where to go. */
export default function HomePage() {
  const { t } = useLingui()
  useAccountUpdates()
  useRoundUpdates()
  const finance = useQuery({ ...financeQuery(), refetchInterval: usePace(60_000, 10_000) })
  const movements = useMovements(MOST)
  const starts = begins(finance.data, movements.data)
  return (
    <Page title={t`Home`} header={<HomeHeader />}>
      <Total label={t`Total balance · USDT`} finance={finance} />
      {starts ? (
        <Starter />
      ) : (
        <div className="mt-5 flex gap-2">
          <ActionTile icon="down" label={t`Top up`} to="/node3" filled />
          <ActionTile icon="list" label={t`History`} to="/node1" />
          <ActionTile icon="play" label={t`Play`} to="/game1" />
        </div>
      )}
      <BulletinLine />
      <LiveRound />
      <nav aria-label={t`Services`} className="mt-5 grid grid-cols-4 gap-x-1 gap-y-4">
        <ServiceTile icon="play" label={t`Odd / Even`} to="/game1" />
        <ServiceTile icon="ribbon" label={t`Results`} to="/game1" search={{ view: "trend" }} />
        <ServiceTile icon="check" label={t`My bets`} to="/game1" search={{ view: "bets" }} />
        <ServiceTile icon="clock" label={t`Top-ups`} to="/node3" search={{ tab: "records" }} />
      </nav>
      <KlsPrice finance={finance} />
      <Banner />
      <InstallOffer total={finance.data?.total} />
      {!starts && <Movements movements={movements} most={MOST} />}
    </Page>
  )
}
