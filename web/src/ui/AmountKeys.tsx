import { Trans, useLingui } from "@lingui/react/macro"
import { formatAmount } from "../lib/money.ts"
import { useSetting } from "../lib/useSetting.ts"
import { Icon } from "./Icon.tsx"
import { Pressable } from "./Pressable.tsx"

/** The asset's name as a key that leads to the next one. */
export function AssetKey({ asset, onPress }: { asset: string; onPress: () => void }) {
  const { t } = useLingui()
  return (
    <Pressable
      onPress={onPress}
      label={t`${asset}, press for another coin`}
      className="flex min-h-11 items-center gap-1 self-center rounded-chip bg-s2 pr-2 pl-2.5 text-body font-medium text-t1 active:bg-s3"
    >
      {asset}
      <Icon name="swap" size={4} className="text-t3" />
    </Pressable>
  )
}

/** Fills in the most that an amount can be; with the eye closed its name doesn't say how much that is. */
export function MaxKey({ max, onPress }: { max: string; onPress: () => void }) {
  const { t } = useLingui()
  const [hidden] = useSetting("hide")
  const most = formatAmount(max, { least: 0 })
  return (
    <Pressable
      onPress={onPress}
      label={hidden ? t`Max` : t`Max: ${most}`}
      className="ml-auto min-h-11 min-w-11 rounded-chip bg-s2 px-3 text-small font-medium text-t1 active:bg-s3"
    >
      <Trans>Max</Trans>
    </Pressable>
  )
}
