import { useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { licenceTexts, packageGroups, preface } from "../../lib/licences.ts"
import { Card } from "../../ui/Card.tsx"
import { Disclosure } from "../../ui/Disclosure.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Page } from "../../ui/Page.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"

/** /me3?view=licences: whose work this is put together with. The notices are the repository's own, in English. */
export default function Licences() {
  const { t } = useLingui()
  return (
    <Page title={t`Licences`} back="/me3">
      <p lang="en" className="text-small text-t2">
        {preface}
      </p>
      <Card flush>
        <FullTexts />
        <div lang="en">
          {packageGroups().map(({ title, packages }) => (
            <Disclosure key={title} title={title}>
              {packages.map(({ name, version, licence }) => (
                <p key={`${name} ${version}`} className="flex items-baseline gap-4 py-1 text-small">
                  <span className="min-w-0 flex-1 break-words text-t2">
                    {name} {version}
                  </span>
                  <span className="max-w-[45%] shrink-0 text-right break-words text-t3">{licence}</span>
                </p>
              ))}
            </Disclosure>
          ))}
        </div>
      </Card>
    </Page>
  )
}

/** What the authors of the code in this page ask to be said; fetched when it is opened. */
function FullTexts() {
  const { t } = useLingui()
  const [opened, setOpened] = useState(false)
  const texts = useQuery({ queryKey: ["licence texts"], queryFn: licenceTexts, enabled: opened })
  return (
    <Disclosure title={t`Licences of this page in full`} onOpen={() => setOpened(true)}>
      {opened && (
        <Loaded query={texts} skeleton={<Skeleton lines={8} />}>
          {(text) => (
            <p lang="en" className="text-small break-words whitespace-pre-line text-t2">
              {text}
            </p>
          )}
        </Loaded>
      )}
    </Disclosure>
  )
}
