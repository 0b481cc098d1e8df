import { useLingui } from "@lingui/react/macro"
import { copyExactly, copyText } from "../lib/copying.ts"
import { IconButton } from "./IconButton.tsx"
import { Tag } from "./Tag.tsx"

interface Props {
  address: string
  /** The network it belongs to; always beside it. */
  network: string
  /** The screen has a button of its own that copies it. */
  copied?: boolean
}

/** A whole address in groups of four, with its network; copying gives the exact string. */
export function Address({ address, network, copied = false }: Props) {
  const { t } = useLingui()
  return (
    <div>
      <div className="flex min-h-11 items-center justify-between gap-2">
        <Tag long>{network}</Tag>
        {!copied && (
          <IconButton
            icon="copy"
            size={5}
            label={t`Copy the address`}
            className="-mr-3 text-t2"
            onPress={() => void copyText(address)}
          />
        )}
      </div>
      <p
        className="flex flex-wrap gap-x-2 font-mono text-body text-t1"
        data-address={address}
        onCopy={(event) => copyExactly(event, address)}
      >
        {grouped(address).map((group, index) => (
          <span
            key={index}
            className={index === 1 || index === grouped(address).length - 1 ? "text-t1" : "text-t2"}
          >
            {group}
          </span>
        ))}
      </p>
    </div>
  )
}

/** "0x" apart, then groups of four. */
export function grouped(address: string): string[] {
  const head = address.startsWith("0x") ? ["0x"] : []
  return [...head, ...(address.slice(head.length * 2).match(/.{1,4}/g) ?? [])]
}

/** Shortened for lists: the first and last six characters. */
export function shortened(text: string): string {
  return text.length <= 15 ? text : `${text.slice(0, 6)}…${text.slice(-6)}`
}
