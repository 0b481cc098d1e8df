import { Trans } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import { disclosuresQuery, isPlayed } from "../lib/disclosures.ts"
import type { Disclosure } from "../lib/payment.ts"
import { Check } from "./Check.tsx"
import { Loaded } from "./Loaded.tsx"
import { Skeleton } from "./Skeleton.tsx"
import { TextLink } from "./TextLink.tsx"

interface Props {
  asked: Disclosure
  agreed: boolean
  onAgree: (agreed: boolean) => void
}

/** The notice of a feature in the member's language, to be accepted in the same step. */
export function AcceptNotice({ asked, agreed, onAgree }: Props) {
  const notices = useQuery(disclosuresQuery())
  return (
    <section className="mt-3 rounded-chip bg-s2 px-3 pt-3 pb-1">
      <Loaded query={notices} skeleton={<Skeleton className="h-24 w-full rounded-cell" />}>
        {({ list }) => (
          <>
            <p className="text-small text-t2">
              {list.find(({ feature }) => feature === asked.feature)?.text}
            </p>
            {isPlayed(asked.feature) && (
              <p className="mt-1 text-small">
                <TextLink to="/me1" search={{ view: "limits" }}>
                  <Trans>Play limits</Trans>
                </TextLink>
              </p>
            )}
            <Check checked={agreed} onChange={onAgree}>
              <Trans>I have read this and accept it</Trans>
            </Check>
          </>
        )}
      </Loaded>
    </section>
  )
}
