import { useState } from "react"
import { Empty } from "../ui/Empty.tsx"
import { Failed } from "../ui/Failed.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { Tag } from "../ui/Tag.tsx"
import { Drawer } from "./Drawer.tsx"
import { Page } from "./Page.tsx"
import { Panel } from "./Panel.tsx"
import { PriceHistory } from "./PriceHistory.tsx"
import { SettingView } from "./SettingView.tsx"
import { SignerLimits } from "./SignerLimits.tsx"
import type { Price, Settings } from "./shapes.ts"
import { Table } from "./Table.tsx"
import { useAsked } from "./useAsked.ts"
import { useRows } from "./useRows.ts"
import { grouped, typeOf } from "./words.ts"

const EVERY = 30_000

/** /operator/settings: every business number with its bounds and history, the way to another value, and prices. */
export default function SettingsPage() {
  const { data, problem, again } = useAsked<Settings>("settings", { every: EVERY })
  const prices = useRows<Price>("prices", {}, EVERY)
  const [sought, setSought] = useState("")
  const [opened, setOpened] = useState<string | null>(null)
  const rows = data?.list.filter(({ name, note }) =>
    `${name} ${note}`.toLowerCase().includes(sought.trim().toLowerCase()),
  )
  const row = data?.list.find(({ name }) => name === opened)
  return (
    <Page title="Settings" about="Business numbers; money's need a second signature">
      <Panel title="Numbers">
        <div className="mb-3 max-w-80">
          <SearchField label="Find a setting" value={sought} onChange={setSought} />
        </div>
        {problem && <Failed problem={problem} onRetry={again} />}
        {rows === undefined && !problem && <Skeleton lines={8} />}
        {rows?.length === 0 && <Empty text="No setting has this in its name." action={null} />}
        {rows !== undefined && rows.length > 0 && (
          <Table
            label="Settings"
            rows={rows}
            keyOf={({ name }) => name}
            opened={opened}
            onOpen={({ name }) => setOpened(name)}
            columns={[
              { head: "Name", cell: ({ name }) => name },
              {
                head: "Value",
                right: true,
                cell: ({ value, default: usual, unit }) => (
                  <span className={`whitespace-normal ${value === usual ? "" : "font-semibold"}`}>
                    {grouped(value)} <span className="font-normal text-t3 desk:hidden">{unit}</span>
                  </span>
                ),
              },
              {
                head: "Unit",
                wide: true,
                cell: ({ unit }) => <span className="text-t3">{unit}</span>,
              },
              {
                head: "Default",
                right: true,
                wide: true,
                cell: (one) => <span className="whitespace-normal">{grouped(one.default)}</span>,
              },
              {
                head: "Type",
                wide: true,
                cell: (one) => <span className="whitespace-normal text-t3">{typeOf(one)}</span>,
              },
              {
                head: "Bounds",
                wide: true,
                cell: ({ bounds }) => grouped(bounds) || "—",
              },
              {
                head: "Changed by",
                right: true,
                wide: true,
                cell: ({ is_changeable, signers }) => (
                  <Tag tone={is_changeable ? "info" : "quiet"}>
                    {is_changeable ? (signers === 2 ? "two people" : "one person") : "fixed"}
                  </Tag>
                ),
              },
            ]}
          />
        )}
      </Panel>
      <div className="mt-4">
        <PriceHistory listed={prices} />
      </div>
      {data && (
        <div className="mt-4">
          <SignerLimits of={data} />
        </div>
      )}
      <Drawer title={row?.name ?? null} onClose={() => setOpened(null)}>
        {row && <SettingView key={row.name} of={row} onDone={() => setOpened(null)} />}
      </Drawer>
    </Page>
  )
}
