import { Trans, useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { notify } from "../../lib/notices.ts"
import { infoQuery } from "../../lib/queries.ts"
import { Loaded } from "../../ui/Loaded.tsx"
import { Page } from "../../ui/Page.tsx"
import { SkeletonCard } from "../../ui/SkeletonCard.tsx"
import { Bound } from "./Bound.tsx"
import { Done } from "./Done.tsx"
import { RecoveryCodes } from "./RecoveryCodes.tsx"
import { SetUp } from "./SetUp.tsx"

/** /me1?view=google: an authenticator is set up and bound, or taken away. */
export default function GoogleView() {
  const { t } = useLingui()
  const info = useQuery(infoQuery())
  // Nowhere else: the server can't read them again, and no store of this device may.
  const [codes, setCodes] = useState<string[] | null>(null)
  const [unbound, setUnbound] = useState(false)
  if (codes !== null) return <RecoveryCodes codes={codes} />
  return (
    <Page title={t`Authenticator`} back="/me1">
      {unbound ? (
        <Done title={t`Authenticator unbound`}>
          <Trans>Log-in asks for your password alone, sensitive steps for a code by e-mail.</Trans>
        </Done>
      ) : (
        <Loaded query={info} skeleton={<SkeletonCard className="h-80" />}>
          {(data) =>
            data.google_bound ? (
              <Bound
                info={data}
                onUnbound={() => {
                  notify(t`Authenticator unbound`)
                  setUnbound(true)
                }}
              />
            ) : (
              <SetUp
                onBound={(given) => {
                  notify(t`Authenticator bound`)
                  setCodes(given)
                }}
              />
            )
          }
        </Loaded>
      )}
    </Page>
  )
}
