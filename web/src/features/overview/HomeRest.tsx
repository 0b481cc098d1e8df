import { useLingui } from "@lingui/react/macro"
import { type UseQueryResult, useQuery } from "@tanstack/react-query"
import { memo, useEffect } from "react"
import { useAccountUpdates } from "../../lib/account.ts"
import type { FinanceAnswer } from "../../lib/api.gen.ts"
import { financeQuery, incomeQuery } from "../../lib/queries.ts"
import { usePace, useRoundUpdates } from "../../lib/rounds.ts"
import { Banner } from "../../ui/Banner.tsx"
import { InstallOffer } from "../../ui/InstallOffer.tsx"
import type { Loadable } from "../../ui/Loaded.tsx"
import { Near } from "../../ui/Near.tsx"
import { Row } from "../../ui/Row.tsx"
import { ServiceTile } from "../../ui/ServiceTile.tsx"
import { Sheet, useSheet } from "../../ui/Sheet.tsx"
import { SkeletonCard } from "../../ui/SkeletonCard.tsx"
import { BulletinLine } from "./BulletinLine.tsx"
import { KlsPrice } from "./KlsPrice.tsx"
import { LiveRound } from "./LiveRound.tsx"
import { Movements } from "./Movements.tsx"
import type { Movement } from "./useMovements.ts"

interface Props {
  finance: UseQueryResult<FinanceAnswer>
  /** Whether the member has yet to begin: then nothing has moved. */
  starts: boolean
  movements: Loadable<Movement[]>
  most: number
  /** The list of movements is about to be seen. */
  onNear: (near: true) => void
}

/** What follows on /home after balance and actions; from here on the screen is also kept up to date. */
export default function HomeRest({ finance, starts, movements, most, onNear }: Props) {
  useAccountUpdates()
  useRoundUpdates()
  // The screen has just asked for them.
  const again = { refetchOnMount: false, refetchInterval: usePace(60_000, 10_000) }
  useQuery({ ...financeQuery(), ...again })
  useQuery({ ...incomeQuery(), ...again, enabled: !starts })
  return (
    <>
      <BulletinLine />
      <LiveRound />
      <Services />
      <KlsPrice finance={finance} />
      {!starts && (
        <Near fallback={<SkeletonCard className="h-56" />}>
          <LastMovements movements={movements} most={most} onNear={onNear} />
        </Near>
      )}
      <Near fallback={<SkeletonCard className="h-56" />}>
        <Banner />
      </Near>
      <InstallOffer total={finance.data?.total} />
    </>
  )
}

function LastMovements({ movements, most, onNear }: Pick<Props, "movements" | "most" | "onNear">) {
  useEffect(() => onNear(true), [onNear])
  return <Movements movements={movements} most={most} />
}

// Not drawn again with each answer of the screen, as what else asks for itself.
const Services = memo(function Services() {
  const { t } = useLingui()
  const all = useSheet("services")
  return (
    <nav aria-label={t`Services`} className="mt-5 grid grid-cols-4 gap-x-1 gap-y-4">
      <ServiceTile icon="ribbon" label={t`Results`} to="/game1" search={{ view: "trend" }} />
      <ServiceTile icon="check" label={t`My bets`} to="/game1" search={{ view: "bets" }} />
      <ServiceTile icon="invite" label={t`Invite`} to="/invite" />
      <ServiceTile icon="list" label={t`All`} onPress={all.show} />
      <Sheet sheet={all} title={t`All services`}>
        <Row title={t`Help`} to="/help" trailing="next" />
        <Row title={t`Wallets guide`} to="/wallet-register" trailing="next" />
        <Row title={t`Apps and tools`} to="/software-download" trailing="next" />
      </Sheet>
    </nav>
  )
})
