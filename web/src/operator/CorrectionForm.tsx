import { useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Field } from "../ui/Field.tsx"
import { Form } from "../ui/Form.tsx"
import { Select } from "../ui/Select.tsx"
import { DECIMAL } from "./decimal.ts"
import { textFrom } from "./textFrom.ts"
import { nameOf } from "./words.ts"

const ASSETS = ["USDT", "KLS"].map((value) => ({ value, label: value }))
const MEMBER = "member"
const HOUSE = ["bankroll", "kls_stock", "marketing", "lending_pool", "insurance_pool"]
/** Where income arrives, the house's own top-ups too: it is placed from there, and nothing is put there by hand. */
const INCOME = ["revenue", "fees"]
const partiesOf = (house: string[]) => [
  { value: MEMBER, label: "A member" },
  ...house.map((value) => ({ value, label: `House: ${nameOf(value)}` })),
]
const SOURCES = partiesOf([...HOUSE, ...INCOME])
const TARGETS = partiesOf(HOUSE)
const ACCOUNT = /^\d{8}$/

interface Party {
  kind: string
  account: string
}
interface Body {
  asset: string
  from: { account?: string; house?: string }
  to: { account?: string; house?: string }
  amount: string
  note: string
}
interface Props {
  /** What was asked for before the way back. */
  before: object | null
  onDone: (body: object) => void
}

const partyOf = (one?: Body["from"]): Party => ({
  kind: one?.house ?? (one?.account === undefined ? "" : MEMBER),
  account: one?.account ?? "",
})
const bodyOf = ({ kind, account }: Party) => (kind === MEMBER ? { account: account.trim() } : { house: kind })
const isWhole = ({ kind, account }: Party) => kind !== "" && (kind !== MEMBER || ACCOUNT.test(account.trim()))

/** A posting that puts the books right: it moves money from one account to another, and edits no balance. */
export function CorrectionForm({ before, onDone }: Props) {
  const old = before as Body | null
  const [asset, setAsset] = useState(old?.asset ?? "USDT")
  const [from, setFrom] = useState(partyOf(old?.from))
  const [to, setTo] = useState(partyOf(old?.to))
  const [amount, setAmount] = useState(old?.amount ?? "")
  const [note, setNote] = useState(old?.note ?? "")
  const [tried, setTried] = useState(false)
  const isRight = DECIMAL.test(amount.trim()) && isWhole(from) && isWhole(to) && note.trim() !== ""
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        const [source, target] = [bodyOf(from), bodyOf(to)]
        if (isRight) onDone({ asset, from: source, to: target, amount: amount.trim(), note: note.trim() })
      }}
    >
      <PartyFields label="From" options={SOURCES} party={from} onChange={setFrom} tried={tried} />
      <PartyFields label="To" options={TARGETS} party={to} onChange={setTo} tried={tried} />
      <Select
        label="Coin"
        placeholder="Choose a coin"
        options={ASSETS}
        value={asset}
        onChange={textFrom((text) => text !== "" && setAsset(text))}
      />
      <Field
        label="Amount"
        inputMode="decimal"
        value={amount}
        onChange={textFrom(setAmount)}
        error={tried && !DECIMAL.test(amount.trim()) && "Enter an amount such as 12.5"}
      />
      <Field
        label="Note"
        maxLength={200}
        value={note}
        onChange={textFrom(setNote)}
        error={tried && note.trim() === "" && "Say which mistake it puts right"}
      />
      <div className="mt-5">
        <Button submit>See what it would do</Button>
      </div>
    </Form>
  )
}

interface PartyProps {
  label: string
  options: { value: string; label: string }[]
  party: Party
  onChange: (party: Party) => void
  tried: boolean
}

function PartyFields({ label, options, party, onChange, tried }: PartyProps) {
  return (
    <>
      <Select
        label={label}
        placeholder="Choose an account"
        options={options}
        value={party.kind}
        onChange={textFrom((kind) => onChange({ ...party, kind }))}
        {...(tried && party.kind === "" ? { error: "Choose an account" } : {})}
      />
      {party.kind === MEMBER && (
        <Field
          label={`${label}: account of the member`}
          inputMode="numeric"
          value={party.account}
          onChange={textFrom((account) => onChange({ ...party, account }))}
          error={tried && !isWhole(party) && "Enter the eight digits of an account"}
        />
      )}
    </>
  )
}
