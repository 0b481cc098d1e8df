import { useState } from "react"
import { parseAmount } from "../lib/money.ts"
import { Address } from "../ui/Address.tsx"
import { AmountField } from "../ui/AmountField.tsx"
import { MoneyLines } from "../ui/MoneyLines.tsx"
import { ReviewButton } from "../ui/ReviewButton.tsx"
import { ReviewSheet } from "../ui/ReviewSheet.tsx"
import { useReview } from "../ui/useReview.ts"
import { transfers } from "./desk.ts"
import { Part, State } from "./Part.tsx"

const TO = "0x5FbDB2315678afecb367f032d93F642f64180aa3"

/** The money pattern: form, review, password, receipt. The amount chooses how it ends (desk.ts). */
export function Money() {
  const [text, setText] = useState("")
  const review = useReview(transfers)
  const parsed = parseAmount(text, 6)
  const amount = "value" in parsed ? parsed.value : null
  const lines = (of: string | null) => (
    <MoneyLines
      pays={{ amount: of, asset: "USDT" }}
      fee={{ amount: "0.25", asset: "KLS" }}
      receives={{ amount: of, asset: "USDT" }}
    />
  )
  return (
    <Part name="ReviewSheet">
      <State name="form">
        <AmountField
          label="Amount"
          value={text}
          onChange={setText}
          asset="USDT"
          decimals={6}
          max="1240.5"
          hint="1 is done, 2 loses its answer, 3 is refused, 4 has a notice, 5 a second factor, 6 is reviewed"
        />
        <div className="mt-3 mb-5">{lines(amount)}</div>
        <ReviewButton review={review} body={amount === null ? null : { to: TO, amount }}>
          Review
        </ReviewButton>
        <ReviewSheet
          review={review}
          title="Check and send"
          factor={(order) => (order.amount === "5" ? { scene: "withdraw" } : null)}
          note="What was sent can't be called back."
          sentence={(order) => `Send ${order.amount} USDT`}
          terms={(asked) =>
            asked ? { ...asked, text: "Transfers go to whoever holds this address." } : undefined
          }
        >
          {(order) => (
            <>
              <Address address={order.to} network="USDT · ERC-20" />
              <div className="mt-3">{lines(order.amount)}</div>
            </>
          )}
        </ReviewSheet>
      </State>
    </Part>
  )
}
