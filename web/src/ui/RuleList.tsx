import { Trans } from "@lingui/react/macro"

interface Props {
  rules: { text: string; met: boolean }[]
}

/** The rules of a field, each ticked as soon as it is met. */
export function RuleList({ rules }: Props) {
  return (
    <ul className="mt-2 flex flex-col gap-1 text-small">
      {rules.map(({ text, met }) => (
        <li key={text} className={`flex items-center gap-2 ${met ? "text-t1" : "text-t3"}`}>
          <span
            aria-hidden="true"
            className={`size-2 rounded-full ${met ? "bg-up" : "ring-1 ring-field ring-inset"}`}
          />
          <span className="sr-only">{met ? <Trans>met:</Trans> : <Trans>not met yet:</Trans>}</span>
          {text}
        </li>
      ))}
    </ul>
  )
}
