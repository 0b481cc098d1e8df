import { Trans } from "@lingui/react/macro"
import { Refusal } from "../lib/api.ts"
import { Button } from "./Button.tsx"
import { HashRibbon } from "./HashRibbon.tsx"
import { Problem } from "./Problem.tsx"

interface Props {
  sending: boolean
  problem: Error | null
  onAsk: () => void
  onStop: () => void
}

/** No answer came: what that means, and the way to one. */
export function ReviewAnswer({ sending, problem, onAsk, onStop }: Props) {
  return (
    <>
      <div className="py-3">
        <HashRibbon />
      </div>
      <p role="status" className="text-t2">
        <Trans>
          No answer came, so nobody knows yet whether it was carried out. The same request is asked for again:
          it can't be paid twice.
        </Trans>
      </p>
      <div className="mt-5 flex flex-col gap-2">
        <Problem problem={problem instanceof Refusal ? problem : null} />
        <Button busy={sending} onPress={onAsk}>
          <Trans>Ask again</Trans>
        </Button>
        <Button kind="text" small disabled={sending} onPress={onStop}>
          <Trans>Stop asking, I look into my records</Trans>
        </Button>
      </div>
    </>
  )
}
