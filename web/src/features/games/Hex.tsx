import { useLingui } from "@lingui/react/macro"
import { CopyButton } from "../../ui/CopyButton.tsx"

/** A long machine word in full, with the way to copy it. */
export function Hex({ name, value }: { name: string; value: string }) {
  const { t } = useLingui()
  return (
    <div className="mt-1.5 flex items-center gap-2">
      <div className="min-w-0 flex-1">
        <p className="text-small text-t3">{name}</p>
        <p className="font-mono text-small break-all">{value}</p>
      </div>
      <span className="-mr-3">
        <CopyButton text={value} label={t`Copy: ${name}`} />
      </span>
    </div>
  )
}
