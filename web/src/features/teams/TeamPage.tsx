import { useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { infoQuery } from "../../lib/queries.ts"
import { IconButton } from "../../ui/IconButton.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Page } from "../../ui/Page.tsx"
import { Segmented } from "../../ui/Segmented.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"
import { Direct, Line } from "./Lines.tsx"
import { TeamHead } from "./TeamHead.tsx"

/** /invite1: what the team turns over, whom the member invited, and the direct line of anybody below. */
export default function TeamPage() {
  const { t } = useLingui()
  const { tab = "direct", account } = useSearch({ from: "/invite1" })
  const navigate = useNavigate({ from: "/invite1" })
  const info = useQuery(infoQuery())
  const look = (whose: string | undefined) =>
    void navigate({ search: { tab: "team", ...(whose && { account: whose }) }, replace: true })
  return (
    <Page
      title={t`My team`}
      back="/me"
      action={<IconButton icon="invite" size={5} label={t`Invite friends`} to="/invite" />}
    >
      <Loaded query={info} skeleton={<Skeleton className="mt-2 h-56 w-full rounded-card" />}>
        {(data) => <TeamHead info={data} />}
      </Loaded>
      <div className="mt-4">
        <Segmented
          label={t`Part`}
          options={[
            { value: "direct", label: t`Direct referrals` },
            { value: "team", label: t`Team` },
          ]}
          value={tab}
          onChange={(next) =>
            next === "team" ? look(undefined) : void navigate({ search: {}, replace: true })
          }
        />
      </div>
      {tab === "direct" ? <Direct onLine={look} /> : <Line account={account} onLine={look} />}
    </Page>
  )
}
