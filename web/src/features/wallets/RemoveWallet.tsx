import { Trans, useLingui } from "@lingui/react/macro"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { LoginWallet } from "../../lib/api.gen.ts"
import { call } from "../../lib/api.ts"
import { useOnline } from "../../lib/network.ts"
import { notify } from "../../lib/notices.ts"
import { askAnew } from "../../lib/queries.ts"
import { useSecondFactor } from "../../lib/secondFactor.ts"
import { Address } from "../../ui/Address.tsx"
import { Button } from "../../ui/Button.tsx"
import { Problem } from "../../ui/Problem.tsx"
import { SecondFactorField } from "../../ui/SecondFactorField.tsx"
import { SlideSheet, useSlideSheet } from "../../ui/SlideSheet.tsx"
import { ANY_NETWORK } from "./words.ts"

/** What taking a log-in wallet away means, the second factor and the slide for it. */
export function RemoveWallet({ wallet: { address }, onDone }: { wallet: LoginWallet; onDone: () => void }) {
  const { t } = useLingui()
  const client = useQueryClient()
  const online = useOnline()
  const factor = useSecondFactor("login_wallet")
  const slide = useSlideSheet()
  const removal = useMutation({
    mutationFn: (proof: string) =>
      call("/api/user/bindLogin", { address, remove: true, ...factor.codes, proof }, { quiet: true }),
    onSuccess: () => {
      notify(t`Wallet removed`)
      onDone()
    },
    onError: (problem) => {
      if (factor.refused(problem)) removal.reset()
    },
    onSettled: () => askAnew(client, "/api/user/info", "/api/user/securityLog"),
  })
  return (
    <>
      <Address address={address} network={ANY_NETWORK} />
      <p className="mt-3 text-small text-t2">
        <Trans>It logs nobody in any more. What was burned from it until now stays proven.</Trans>
      </p>
      <SecondFactorField factor={factor} />
      <div className="mt-5">
        <Problem problem={removal.error} />
        <Button
          kind="danger"
          busy={removal.isPending}
          onPress={() => factor.check() && slide.show()}
          {...(online ? {} : { reason: t`No connection to the server` })}
        >
          <Trans>Remove the wallet</Trans>
        </Button>
      </div>
      <SlideSheet sheet={slide} onProof={(proof) => removal.mutate(proof)} />
    </>
  )
}
