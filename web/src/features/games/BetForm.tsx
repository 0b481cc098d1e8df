import { Trans, useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { compare, formatAmount, formatPercent, inputForm, parseAmount, times } from "../../lib/money.ts"
import { infoQuery } from "../../lib/queries.ts"
import type { RunningScene } from "../../lib/rounds.ts"
import { scaleOf } from "../../lib/scales.ts"
import { Amount } from "../../ui/Amount.tsx"
import { AmountField } from "../../ui/AmountField.tsx"
import { Plates } from "../../ui/Plates.tsx"
import { QuickKeys } from "../../ui/QuickKeys.tsx"
import { type Draft, useDraft } from "./again.ts"
import { BetBar } from "./BetBar.tsx"
import { half, highestStake, payout } from "./payout.ts"
import { useBet } from "./useBet.ts"
import { DIGITS, useWords } from "./words.ts"

const QUICK = ["10", "50", "100"]

/** What to bet on, with which coin and how much; what it would bring stands beside it. */
export function BetForm({ scene, drafts }: { scene: RunningScene; drafts: Map<string, Draft> }) {
  const { t } = useLingui()
  const words = useWords()
  const info = useQuery(infoQuery())
  const assets = Object.keys(scene.minimum)
  const draft = useDraft(scene, drafts.get(scene.scene_id))
  const [asset, setAsset] = useState(draft.asset)
  const [option, setOption] = useState(draft.option)
  const [text, setText] = useState(draft.text)
  useEffect(() => {
    drafts.set(scene.scene_id, { option, asset, text })
  })
  const bet = useBet(scene.round)
  const bar = useFocusKept(bet.order !== null)
  const available = info.data?.balances.find((balance) => balance.asset === asset)?.available
  const room = option === null ? undefined : scene.room[option]?.[asset]
  const parsed = parseAmount(text, scaleOf(asset))
  const stake = "value" in parsed ? parsed.value : null
  const multiple = (scene.options.find((known) => known.option === option) ?? scene.options[0])?.multiple
  const change = (what: () => void) => {
    bet.forget()
    what()
  }
  const highest = highestStake([available ?? "0", scene.maximum[asset], room])
  // What the balance limits is staked whole; another limit is cut to hundredths.
  const most = available !== undefined && compare(highest, available) === 0 ? highest : times(highest, "1", 2)
  const fill = (amount: string) => change(() => setText(amount))
  return (
    <section>
      <div className="mt-4">
        <Plates
          label={t`What the digit will be`}
          options={scene.options.map(({ option: value, chance, profit }) => ({
            value,
            title: words.option(value),
            chip: formatPercent(chance),
            note: t`${DIGITS[value as keyof typeof DIGITS] ?? ""} · pays +${formatAmount(profit, { least: 0 })}×`,
          }))}
          value={option}
          onChange={(value) => change(() => setOption(value))}
        />
      </div>
      <div className="mt-4">
        <AmountField
          label={t`Stake`}
          value={text}
          onChange={fill}
          asset={asset}
          onAsset={() => change(() => setAsset(assets[(assets.indexOf(asset) + 1) % assets.length] ?? asset))}
          decimals={scaleOf(asset)}
          hint={
            <Trans>
              Balance <Amount value={available} private /> · at least{" "}
              {formatAmount(scene.minimum[asset] ?? "0", { least: 0 })}
            </Trans>
          }
          aside={
            <>
              <p className="text-small text-t3">
                <Trans>If it wins you get back</Trans>
              </p>
              <p className="text-h2">
                <Amount
                  value={stake !== null && multiple ? payout(stake, multiple, asset) : null}
                  asset={asset}
                />
              </p>
            </>
          }
        />
      </div>
      <div className="mt-2">
        <QuickKeys
          label={t`Quick stakes`}
          options={[
            ...QUICK.map((amount) => ({ label: amount, onPress: () => fill(amount) })),
            { label: t`½`, onPress: () => fill(inputForm(half(most))), disabled: available === undefined },
            { label: t`Max`, onPress: () => fill(inputForm(most)), disabled: available === undefined },
          ]}
        />
      </div>
      <div
        ref={bar}
        tabIndex={-1}
        className="sticky bottom-0 z-20 -mx-5 mt-4 bg-bg px-5 pt-1 before:pointer-events-none before:absolute before:inset-x-0 before:bottom-full before:h-4 before:bg-linear-to-t before:from-bg pb-[calc(1rem+env(safe-area-inset-bottom))] max-narrow:-mx-4 max-narrow:px-4"
      >
        <BetBar scene={scene} bet={bet} choice={{ option, asset, stake, available, room }} />
      </div>
    </section>
  )
}

/** When its button gives way to the question and back, the bar takes the focus that would be lost with it. */
function useFocusKept(confirming: boolean) {
  const bar = useRef<HTMLDivElement>(null)
  const before = useRef(confirming)
  useEffect(() => {
    if (before.current === confirming) return
    before.current = confirming
    if (document.activeElement === document.body) bar.current?.focus({ preventScroll: true })
  }, [confirming])
  return bar
}
