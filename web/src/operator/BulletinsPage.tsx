import { useState } from "react"
import { formatDateTime } from "../lib/time.ts"
import { Button } from "../ui/Button.tsx"
import { Tag } from "../ui/Tag.tsx"
import { BulletinView } from "./BulletinView.tsx"
import { Drawer } from "./Drawer.tsx"
import { Page } from "./Page.tsx"
import { Panel } from "./Panel.tsx"
import { Rows } from "./Rows.tsx"
import type { Bulletin } from "./shapes.ts"
import { useHas } from "./useMe.ts"
import { useRows } from "./useRows.ts"
import { bulletinStateOf, nameOf } from "./words.ts"

const EVERY = 30_000
const NEW = "new"

/** /operator/bulletins: what members are told, also what isn't shown yet or any more. */
export default function BulletinsPage() {
  const [opened, setOpened] = useState<string | null>(null)
  const listed = useRows<Bulletin>("bulletins", {}, EVERY)
  const row = listed.rows?.find(({ id }) => id === opened)
  const may = useHas("content")
  const close = () => setOpened(null)
  return (
    <Page
      title="Bulletins"
      about="Notices, news and banners; whoever has no text in their language reads the English one"
      action={
        may && (
          <div className="w-44">
            <Button small icon="plus" onPress={() => setOpened(NEW)}>
              New bulletin
            </Button>
          </div>
        )
      }
    >
      <Panel title="Bulletins">
        <Rows
          label="Bulletins"
          listed={listed}
          empty="Nothing was published yet."
          keyOf={({ id }) => id}
          opened={opened}
          onOpen={({ id }) => setOpened(id)}
          columns={[
            { head: "Title", cell: ({ texts }) => texts[0]?.title ?? "—" },
            { head: "Kind", cell: ({ kind, pinned }) => (pinned ? `${nameOf(kind)}, pinned` : nameOf(kind)) },
            { head: "Languages", right: true, wide: true, cell: ({ texts }) => `${texts.length} of 7` },
            { head: "From", right: true, wide: true, cell: ({ from_at }) => formatDateTime(from_at) },
            {
              head: "State",
              right: true,
              cell: ({ state }) => (
                <Tag tone={state === "shown" ? "up" : state === "waiting" ? "warn" : "quiet"}>
                  {bulletinStateOf(state)}
                </Tag>
              ),
            },
          ]}
        />
      </Panel>
      <Drawer title={opened === NEW ? "New bulletin" : row ? `Bulletin ${row.id}` : null} onClose={close}>
        {(opened === NEW || row) && <BulletinView key={opened} of={row} onDone={close} />}
      </Drawer>
    </Page>
  )
}
