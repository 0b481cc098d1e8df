import { Trans } from "@lingui/react/macro"
import { Pressable } from "../../ui/Pressable.tsx"

// A demo installation's second account (specification, "Demo mode").
export const DEMO_ACCOUNT = { name: "10000002", password: "demo1234" } as const

/** Whom a visitor of a demo installation can log in as; a press fills the form. */
export function DemoAccount({ onFill }: { onFill: () => void }) {
  const { name, password } = DEMO_ACCOUNT
  return (
    <Pressable
      onPress={onFill}
      className="mt-4 flex min-h-11 w-full flex-wrap items-center justify-between gap-x-3 rounded-chip bg-s1 px-3 py-2 text-left text-small text-t2 active:bg-s2"
    >
      <span>
        <Trans>
          Demo account <b className="font-semibold text-t1">{name}</b> · {password}
        </Trans>
      </span>
      <span className="ml-auto font-medium text-brand-text">
        <Trans>Fill in</Trans>
      </span>
    </Pressable>
  )
}
