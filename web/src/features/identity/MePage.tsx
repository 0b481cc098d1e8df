import { useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import { infoQuery } from "../../lib/queries.ts"
import { IconButton } from "../../ui/IconButton.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Page } from "../../ui/Page.tsx"
import { RefreshButton } from "../../ui/RefreshButton.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"
import { IdentityPlate } from "./IdentityPlate.tsx"
import { MeGroups } from "./MeGroups.tsx"
import { SecurityMeter } from "./SecurityMeter.tsx"

/**
 * /me: who the member is here, and the ways on.
 * Absent until they are built: node and NFT marks, cards, shop, price cover and loans.
 */
export default function MePage() {
  const { t } = useLingui()
  const info = useQuery(infoQuery())
  return (
    <Page
      title={t`Me`}
      root
      action={
        <>
          <IconButton icon="gear" size={5} label={t`Settings`} to="/me3" />
          <RefreshButton />
        </>
      }
    >
      <Loaded query={info} skeleton={<Skeleton className="mt-2 h-56 w-full rounded-card" />}>
        {(data) => (
          <>
            <IdentityPlate info={data} />
            <SecurityMeter info={data} />
          </>
        )}
      </Loaded>
      <MeGroups />
    </Page>
  )
}
