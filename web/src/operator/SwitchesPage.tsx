import { useState } from "react"
import { formatDateTime } from "../lib/time.ts"
import { Button } from "../ui/Button.tsx"
import { Failed } from "../ui/Failed.tsx"
import { Field } from "../ui/Field.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { Tag } from "../ui/Tag.tsx"
import { Drawer } from "./Drawer.tsx"
import { Facts } from "./Facts.tsx"
import { Page } from "./Page.tsx"
import { Panel } from "./Panel.tsx"
import { Submission } from "./Submission.tsx"
import type { Switch } from "./shapes.ts"
import { Table } from "./Table.tsx"
import { textFrom } from "./textFrom.ts"
import { useAsked } from "./useAsked.ts"
import { useHas } from "./useMe.ts"
import { featureOf } from "./words.ts"

const keyOf = ({ feature, country }: Switch) => `${feature} ${country}`
const placeOf = (country: string) => (country === "" ? "Everywhere" : country)

/** /operator/switches: which feature is on in which country. */
export default function SwitchesPage() {
  const { data, problem, again } = useAsked<{ list: Switch[] }>("switches")
  const [opened, setOpened] = useState<string | null>(null)
  const row = data?.list.find((one) => keyOf(one) === opened)
  return (
    <Page title="Country switches" about="A country without an order of its own follows everywhere">
      <Panel title="Switches">
        {problem && <Failed problem={problem} onRetry={again} />}
        {data === undefined && !problem && <Skeleton lines={6} />}
        {data && (
          <Table
            label="Switches"
            rows={data.list}
            keyOf={keyOf}
            opened={opened}
            onOpen={(one) => setOpened(keyOf(one))}
            columns={[
              { head: "Feature", cell: ({ feature }) => featureOf(feature) },
              { head: "Where", cell: ({ country }) => placeOf(country) },
              { head: "By", wide: true, cell: ({ staff }) => staff ?? "—" },
              { head: "State", right: true, cell: ({ is_on }) => <OnTag on={is_on} /> },
            ]}
          />
        )}
      </Panel>
      <Drawer title={row ? featureOf(row.feature) : null} onClose={() => setOpened(null)}>
        {row && <SwitchView key={keyOf(row)} of={row} onDone={() => setOpened(null)} />}
      </Drawer>
    </Page>
  )
}

const OnTag = ({ on }: { on: boolean }) => <Tag tone={on ? "up" : "quiet"}>{on ? "On" : "Off"}</Tag>

function SwitchView({ of, onDone }: { of: Switch; onDone: () => void }) {
  const may = useHas("treasurer", "owner")
  const [country, setCountry] = useState(of.country)
  const [wanted, setWanted] = useState<boolean | null>(null)
  const where = country.trim().toUpperCase()
  const wrong = !/^([A-Z]{2})?$/.test(where)
  if (wanted !== null) {
    const body = { feature: of.feature, ...(where === "" ? {} : { country: where }), is_on: wanted }
    return <Submission kind="switch" body={body} onDone={onDone} onBack={() => setWanted(null)} />
  }
  return (
    <>
      <Facts
        of={[
          ["Where", placeOf(of.country)],
          ["State", <OnTag key="state" on={of.is_on} />],
          of.at === null ? null : ["Since", formatDateTime(of.at)],
          of.staff === null ? null : ["By", [of.staff, of.checker].filter(Boolean).join(", ")],
          of.reason === null ? null : ["Reason", of.reason],
        ]}
      />
      {may && (
        <>
          <Field
            label="Country"
            maxLength={2}
            value={country}
            onChange={textFrom(setCountry)}
            error={wrong && "Two letters, such as VN"}
            hint="Two letters; empty for everywhere"
          />
          <div className="mt-4 grid grid-cols-2 gap-3">
            <Button kind="quiet" small disabled={wrong} onPress={() => setWanted(true)}>
              Switch on
            </Button>
            <Button kind="quiet" small disabled={wrong} onPress={() => setWanted(false)}>
              Switch off
            </Button>
          </div>
        </>
      )}
    </>
  )
}
