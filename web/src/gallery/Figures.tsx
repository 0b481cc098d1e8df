import { Amount } from "../ui/Amount.tsx"
import { Bar } from "../ui/Bar.tsx"
import { Change } from "../ui/Change.tsx"
import { MoneyLines } from "../ui/MoneyLines.tsx"
import { Price } from "../ui/Price.tsx"
import { Sparkline } from "../ui/Sparkline.tsx"
import { Part, State } from "./Part.tsx"

const WAY = ["4", "5", "3.5", "6", "5.5", "7", "6.8", "8"]

/** Amounts, prices, changes, and what draws them. */
export function Figures() {
  return (
    <>
      <Part name="Amount">
        <State name="hero">
          <Amount value="24816.402913" hero private />
        </State>
        <State name="display, with asset">
          <Amount value="50" asset="USDT" display />
        </State>
        <State name="large, and the largest that is possible">
          <div className="flex flex-col gap-2">
            <Amount value="1234567890.12" hero />
            <Amount value="123456789012.12345678" hero />
            <Amount value="999999999999999999.99999999" hero />
            <Amount value="1234567.89" asset="USDT" display />
            <Amount value="123456789012.12345678" asset="USDT" display />
            <Amount value="999999999999999999.99999999" asset="USDT" display />
            <Amount value="999999999999999999.99999999" asset="KLS" />
          </div>
        </State>
        <State name="rise and fall">
          <div className="flex gap-4">
            <Amount value="312.06" sign tone="sign" />
            <Amount value="-18.4" sign tone="sign" />
            <Amount value="0" sign tone="sign" />
            <Amount value="97.5" sign tone="gold" />
          </div>
        </State>
        <State name="not known">
          <Amount value={null} asset="USDT" />
        </State>
        <State name="a press copies it">
          <Amount value="1234.5" asset="USDT" copy />
        </State>
      </Part>
      <Part name="Price">
        <State name="common">
          <Price value="98410.5" asset="USDT" />
        </State>
        <State name="tiny">
          <Price value="0.0000012345" asset="USDT" />
        </State>
      </Part>
      <Part name="Change">
        <State name="up, down, none">
          <div className="flex flex-wrap gap-4">
            <Change value="312.06" fraction="0.0127" private />
            <Change value="-84.1" fraction="-0.0084" />
            <Change value="0" fraction="0" />
          </div>
        </State>
      </Part>
      <Part name="MoneyLines">
        <State name="live">
          <MoneyLines
            pays={{ amount: "50", asset: "USDT" }}
            fee={{ amount: "0.25", asset: "KLS" }}
            receives={{ amount: "50", asset: "USDT" }}
            minimum={{ amount: "10", asset: "USDT" }}
            maximum={{ amount: null, asset: "USDT" }}
          />
        </State>
      </Part>
      <Part name="Sparkline">
        <State name="up, down, plain, too few">
          <div className="flex gap-4">
            <Sparkline values={WAY} tone="up" />
            <Sparkline values={[...WAY].reverse()} tone="down" />
            <Sparkline values={WAY} />
            <Sparkline values={["1"]} />
          </div>
        </State>
      </Part>
      <Part name="Bar">
        <State name="parts of a whole">
          <Bar
            parts={[
              { label: "USDT", share: "0.52" },
              { label: "KLS", share: "0.22" },
              { label: "USA", share: "0.16" },
              { label: "Other", share: "0.1" },
            ]}
          />
        </State>
      </Part>
    </>
  )
}
