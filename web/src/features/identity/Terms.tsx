import { Trans, useLingui } from "@lingui/react/macro"
import { DEMO } from "../../lib/mode.ts"
import { Sheet, type useSheet } from "../../ui/Sheet.tsx"

/** The terms in plain words, in the version that terms.ts names. */
export default function Terms({ sheet }: { sheet: ReturnType<typeof useSheet> }) {
  const { t } = useLingui()
  return (
    <Sheet sheet={sheet} title={t`Terms`}>
      <div className="flex flex-col gap-3 text-t2">
        {DEMO && (
          <p>
            <Trans>
              This is a demo. Its coins are test coins on a chain of its own and are worth nothing. Never send
              real coins here: they would be lost.
            </Trans>
          </p>
        )}
        <p>
          <Trans>
            Games can be lost. Over many rounds the house keeps a part of every stake; each game's page says
            how much. Bet only what you can afford to lose.
          </Trans>
        </p>
        <p>
          {DEMO ? (
            <Trans>
              Results come from the block hashes of this demo's own chain. Anyone can recompute them, but
              whoever runs the demo can make its blocks.
            </Trans>
          ) : (
            <Trans>
              Results come from public block hashes. Anyone can recompute them, and nobody here chooses the
              block.
            </Trans>
          )}
        </p>
        {!DEMO && (
          <p>
            <Trans>
              Only USDT sent to your own top-up address on the network named there is credited by itself. What
              is sent on another network may be lost.
            </Trans>
          </p>
        )}
        <p>
          <Trans>Prices of KLS can fall to nothing. No return is promised anywhere.</Trans>
        </p>
        <p>
          <Trans>Your password is yours alone. Nobody from Kalos will ever ask for it.</Trans>
        </p>
        <p>
          <Trans>You must be of age in your country, and the games must be allowed there.</Trans>
        </p>
      </div>
    </Sheet>
  )
}
