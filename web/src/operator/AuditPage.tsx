import { useState } from "react"
import { formatDateTime } from "../lib/time.ts"
import { shortened } from "../ui/Address.tsx"
import { Changes } from "./Changes.tsx"
import { Drawer } from "./Drawer.tsx"
import { Facts } from "./Facts.tsx"
import { Page } from "./Page.tsx"
import { Panel } from "./Panel.tsx"
import { Rows } from "./Rows.tsx"
import type { AuditRow } from "./shapes.ts"
import { useRows } from "./useRows.ts"
import { When } from "./When.tsx"
import { actOf } from "./words.ts"

/** /operator/audit: everything that staff has done, each line chained to the one before. */
export default function AuditPage() {
  const [opened, setOpened] = useState<string | null>(null)
  const listed = useRows<AuditRow>("audit")
  const row = listed.rows?.find(({ id }) => id === opened)
  return (
    <Page title="Audit log" about="Each line carries the hash of the one before: none can be changed unseen">
      <Panel title="Log">
        <Rows
          label="Audit log"
          listed={listed}
          empty="Nothing has been done yet."
          keyOf={({ id }) => id}
          opened={opened}
          onOpen={({ id }) => setOpened(id)}
          columns={[
            { head: "Number", cell: ({ id }) => id },
            { head: "Time", cell: ({ at }) => <When at={at} /> },
            { head: "Who", cell: ({ staff }) => staff },
            { head: "Act", cell: ({ act }) => actOf(act) },
            { head: "Of what", wide: true, cell: ({ object }) => object },
            {
              head: "Hash",
              right: true,
              wide: true,
              cell: ({ hash }) => <span className="font-mono text-t3">{shortened(hash)}</span>,
            },
          ]}
        />
      </Panel>
      <Drawer title={row ? `Line ${row.id}` : null} onClose={() => setOpened(null)}>
        {row && (
          <>
            <Facts
              of={[
                ["Time", formatDateTime(row.at)],
                ["Who", row.staff],
                ["Act", actOf(row.act)],
                ["Of what", row.object],
                [
                  "Hash",
                  <span key="hash" className="block text-left font-mono text-small break-all">
                    {row.hash}
                  </span>,
                ],
              ]}
            />
            <h3 className="mt-5 font-semibold">Before and after</h3>
            <Changes before={row.before} after={row.after} />
          </>
        )}
      </Drawer>
    </Page>
  )
}
