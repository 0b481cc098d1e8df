import { useLingui } from "@lingui/react/macro"
import { packageGroups, preface } from "../../lib/licences.ts"
import { Card } from "../../ui/Card.tsx"
import { Disclosure } from "../../ui/Disclosure.tsx"
import { Line } from "../../ui/Line.tsx"
import { Page } from "../../ui/Page.tsx"

/** /me3?view=licences: whose work this is put together with. The notices are the repository's own, in English. */
export default function Licences() {
  const { t } = useLingui()
  return (
    <Page title={t`Licences`} back="/me3">
      <p lang="en" className="text-small whitespace-pre-line text-t2">
        {preface}
      </p>
      <Card flush>
        <div lang="en">
          {packageGroups().map(({ title, packages }) => (
            <Disclosure key={title} title={title}>
              {packages.map(({ name, version, licence }) => (
                <Line key={`${name} ${version}`} name={`${name} ${version}`}>
                  <span className="text-small font-normal text-t3">{licence}</span>
                </Line>
              ))}
            </Disclosure>
          ))}
        </div>
      </Card>
    </Page>
  )
}
