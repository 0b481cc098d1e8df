import { Amount } from "../ui/Amount.tsx"
import { Panel } from "./Panel.tsx"
import { Rows } from "./Rows.tsx"
import type { Price } from "./shapes.ts"
import type { Listed } from "./useRows.ts"
import { When } from "./When.tsx"

/** What was ordered of prices, the latest first: the one on top counts. */
export function PriceHistory({ listed }: { listed: Listed<Price> }) {
  return (
    <Panel title="Prices" note="by the operator's word; another one is a command">
      <Rows
        label="Prices"
        listed={listed}
        empty="Nobody has ordered a price yet."
        keyOf={({ id }) => id}
        columns={[
          { head: "Coin", cell: ({ asset }) => <strong className="font-medium">{asset}</strong> },
          { head: "Price", right: true, cell: ({ rate }) => <Amount value={rate} asset="USDT" /> },
          { head: "Since", cell: ({ at }) => <When at={at} /> },
          { head: "By", cell: ({ staff, checker }) => (checker === null ? staff : `${staff}, ${checker}`) },
          {
            head: "Reason",
            wide: true,
            cell: ({ reason }) => <span className="whitespace-normal">{reason}</span>,
          },
        ]}
      />
    </Panel>
  )
}
