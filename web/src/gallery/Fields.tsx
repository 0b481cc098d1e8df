import { useState } from "react"
import { AmountField } from "../ui/AmountField.tsx"
import { CaptchaImage } from "../ui/CaptchaImage.tsx"
import { Check } from "../ui/Check.tsx"
import { DateField } from "../ui/DateField.tsx"
import { Field } from "../ui/Field.tsx"
import { FormSummary } from "../ui/FormSummary.tsx"
import { PasswordField } from "../ui/PasswordField.tsx"
import { PicturesField } from "../ui/PicturesField.tsx"
import { QuickKeys } from "../ui/QuickKeys.tsx"
import { RuleList } from "../ui/RuleList.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import { SecondFactorField } from "../ui/SecondFactorField.tsx"
import { Select } from "../ui/Select.tsx"
import { SlideCaptcha } from "../ui/SlideCaptcha.tsx"
import { Stepper } from "../ui/Stepper.tsx"
import { Switch } from "../ui/Switch.tsx"
import type { SlideState } from "../ui/slideState.ts"
import { TextArea } from "../ui/TextArea.tsx"
import { Part, State } from "./Part.tsx"
import { SLIDE } from "./pictures.ts"

const SLIDES: SlideState[] = ["ready", "checking", "done", "missed", "expired"]
const AMOUNTS: [string, string][] = [
  ["empty", ""],
  ["typed", "1234.5"],
  ["read from other digits", "๑２,๕"],
  ["two separators", "1.234,5"],
  ["too fine", "0.1234567"],
]

const PICTURES = {
  list: [],
  most: 4,
  over: false,
  room: true,
  ready: true,
  ids: [],
  add: () => undefined,
  remove: () => undefined,
  drop: () => undefined,
}
const SENT = [
  { key: 1, name: "receipt.png", shown: SLIDE.background, part: 0.42, problem: null, id: null },
  { key: 2, name: "screen.webp", shown: SLIDE.background, part: null, problem: null, id: "a" },
  {
    key: 3,
    name: "holiday.png",
    shown: SLIDE.background,
    part: null,
    problem: "A picture may have at most 5 MB",
    id: null,
  },
]

const FACTOR = {
  kind: "email" as const,
  account: "10000002",
  email: "a***e@example.com",
  code: "",
  problem: undefined,
  seconds: 0,
  sent: false,
  sending: false,
  send: () => undefined,
  type: () => undefined,
}

/** Whatever is typed or filled in. */
export function Fields() {
  const [count, setCount] = useState(3)
  const [empty, setEmpty] = useState("")
  const [words, setWords] = useState("odd or even")
  const [birth, setBirth] = useState("")
  const [agreed, setAgreed] = useState(true)
  return (
    <>
      <Part name="AmountField">
        {AMOUNTS.map(([name, text]) => (
          <State key={name} name={name}>
            <OwnAmount name={name} text={text} />
          </State>
        ))}
        <State name="refused, with another coin to choose">
          <AmountField
            label="Stake"
            value="5"
            onChange={() => undefined}
            asset="USDT"
            onAsset={() => undefined}
            problem="The smallest bet is 10 USDT."
            aside={<p className="text-small text-t3">If it wins you get back 9.75</p>}
          />
        </State>
      </Part>
      <Part name="SlideCaptcha">
        {SLIDES.map((state) => (
          <State key={state} name={state}>
            <SlideCaptcha
              picture={SLIDE}
              state={state}
              onLeave={() => undefined}
              onRefresh={() => undefined}
            />
          </State>
        ))}
        <State name="loading">
          <SlideCaptcha
            picture={undefined}
            state="ready"
            onLeave={() => undefined}
            onRefresh={() => undefined}
          />
        </State>
      </Part>
      <Part name="QuickKeys">
        <QuickKeys
          label="Quick stakes"
          options={["10", "50", "100", "½", "Max"].map((label) => ({
            label,
            onPress: () => undefined,
            disabled: label === "Max",
          }))}
        />
      </Part>
      <Part name="Field">
        <Field label="With a hint" hint="What is worth knowing" placeholder="name@example.com" />
        <Field label="With a mistake" defaultValue="abc" error="This doesn't look like an e-mail address" />
        <Field label="Read only" value="KALOS1" readOnly mono />
        <Field
          label="With something at its end"
          trailing={<CaptchaImage image={undefined} id={undefined} onRefresh={() => undefined} />}
        />
        <PasswordField label="Password" defaultValue="secret1" />
        <RuleList
          rules={[
            { text: "6 to 20 characters", met: true },
            { text: "a letter and a digit", met: false },
          ]}
        />
        <Select
          label="Country"
          placeholder="Choose"
          options={[{ value: "VN", label: "Viet Nam" }]}
          error="Choose a country"
        />
        <Check checked={agreed} onChange={setAgreed}>
          I have read the terms
        </Check>
        <Check checked={false} onChange={() => undefined} error="Agree to go on">
          Not agreed yet
        </Check>
        <Switch label="Haptics" note="Android only" checked={agreed} onChange={setAgreed} />
      </Part>
      <Part name="TextArea">
        <TextArea
          label="What happened"
          rows={3}
          placeholder="In your own words"
          hint="Up to 2,000 characters"
        />
        <TextArea label="With a mistake" rows={2} defaultValue="…" error="Write what happened" />
      </Part>
      <Part name="PicturesField">
        <State name="none yet">
          <PicturesField label="Pictures" pictures={PICTURES} />
        </State>
        <State name="on its way, there, refused, and no room for more">
          <PicturesField label="Pictures" pictures={{ ...PICTURES, room: false, list: SENT }} />
        </State>
      </Part>
      <Part name="SecondFactorField">
        <State name="authenticator, refused">
          <SecondFactorField factor={{ ...FACTOR, kind: "google", problem: "The code is wrong" }} />
        </State>
        <State name="by e-mail, not sent yet">
          <SecondFactorField factor={FACTOR} />
        </State>
        <State name="by e-mail, sent">
          <SecondFactorField factor={{ ...FACTOR, sent: true, seconds: 42, code: "402913" }} />
        </State>
        <State name="not known yet which">
          <SecondFactorField factor={{ ...FACTOR, kind: undefined }} />
        </State>
      </Part>
      <Part name="SearchField">
        <State name="empty, and with words to take back">
          <SearchField label="Search help" value={empty} onChange={setEmpty} />
          <div className="mt-2">
            <SearchField label="Search the bulletins" value={words} onChange={setWords} />
          </div>
        </State>
      </Part>
      <Part name="DateField">
        <DateField label="Birth date, empty" birth value={birth} onChange={setBirth} />
        <DateField label="First day" value="2026-11-5" onChange={() => undefined} />
        <DateField
          label="Last day"
          value="2026-2-30"
          onChange={() => undefined}
          error="This day doesn't exist"
        />
      </Part>
      <Part name="FormSummary">
        <FormSummary
          tries={0}
          problems={[
            { name: "email", text: "Enter your e-mail" },
            { name: "code", text: "The code has six digits" },
          ]}
          onChoose={() => undefined}
        />
      </Part>
      <Part name="Stepper">
        <Stepper label="Pieces" value={count} onChange={setCount} most={1200} />
        <Stepper label="At its least" value={1} onChange={() => undefined} most={9} />
        <Stepper label="At its most" value={9} onChange={() => undefined} most={9} />
      </Part>
    </>
  )
}

function OwnAmount({ name, text }: { name: string; text: string }) {
  const [value, setValue] = useState(text)
  return (
    <AmountField
      label={`Amount, ${name}`}
      value={value}
      onChange={setValue}
      asset="USDT"
      decimals={6}
      max="1240.5"
      hint="Balance 1,240.50"
    />
  )
}
