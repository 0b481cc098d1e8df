import { Trans, useLingui } from "@lingui/react/macro"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { call, Refusal } from "../../lib/api.ts"
import { useOnline } from "../../lib/network.ts"
import { notify } from "../../lib/notices.ts"
import { askAnew } from "../../lib/queries.ts"
import { useSecondFactor } from "../../lib/secondFactor.ts"
import { signText } from "../../lib/wallet.ts"
import { Address } from "../../ui/Address.tsx"
import { Button } from "../../ui/Button.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { SecondFactorField } from "../../ui/SecondFactorField.tsx"
import { SlideSheet, useSlideSheet } from "../../ui/SlideSheet.tsx"
import { WhyNot } from "../../ui/WalletChoice.tsx"
import type { Asked } from "./BindWallet.tsx"
import { ANY_NETWORK } from "./words.ts"

interface Props {
  asked: Asked
  onDone: () => void
  /** From the choice on: a signature serves once. */
  onAgain: () => void
}

/** The sentence in full, the wallet's signature under it, then the second factor and the slide. */
export function SignToBind({ asked, onDone, onAgain }: Props) {
  const { t } = useLingui()
  const { wallet, address, nonce, message } = asked
  const client = useQueryClient()
  const online = useOnline()
  const factor = useSecondFactor("login_wallet")
  const slide = useSlideSheet()
  const signing = useMutation({ mutationFn: () => signText(wallet, address, message) })
  const signature = signing.data
  const binding = useMutation({
    mutationFn: (proof: string) => {
      const signed = { address, code: nonce, sign_message: signature ?? "" }
      return call("/api/user/bindLogin", { ...signed, ...factor.codes, proof }, { quiet: true })
    },
    onSuccess: () => {
      notify(t`Wallet bound`)
      onDone()
    },
    onError: (problem) => {
      // Told before the sentence is looked at; whatever else is wrong has used it up.
      const again = problem instanceof Refusal && KEEPS_SENTENCE.has(problem.error)
      if (again && factor.refused(problem)) binding.reset()
    },
    // Also where no answer came: it may be bound.
    onSettled: () => askAnew(client, "/api/user/info", "/api/user/securityLog"),
  })
  const { error } = binding
  const away = online ? {} : { reason: t`No connection to the server` }
  return (
    <>
      <Address address={address} network={ANY_NETWORK} />
      <p className="mt-4 mb-1.5 text-small text-t3">
        <Trans>The sentence to sign, as your wallet must show it</Trans>
      </p>
      <p
        lang="en"
        translate="no"
        className="rounded-chip bg-s2 px-3 py-2.5 font-mono text-small break-words whitespace-pre-wrap"
      >
        {message}
      </p>
      {signing.error && (
        <Notice tone="warn">
          <WhyNot problem={signing.error} />
        </Notice>
      )}
      {signature !== undefined && error === null && <SecondFactorField factor={factor} />}
      {error !== null && (
        <Notice tone="danger">
          <WhyRefused problem={error} />
        </Notice>
      )}
      <div className="mt-5">
        {error !== null ? (
          <Button onPress={onAgain}>
            <Trans>Start again</Trans>
          </Button>
        ) : signature === undefined ? (
          <Button busy={signing.isPending} onPress={() => signing.mutate()}>
            <Trans>Sign in the wallet</Trans>
          </Button>
        ) : (
          <Button busy={binding.isPending} onPress={() => factor.check() && slide.show()} {...away}>
            <Trans>Bind this wallet</Trans>
          </Button>
        )}
      </div>
      <SlideSheet sheet={slide} onProof={(proof) => binding.mutate(proof)} />
    </>
  )
}

const KEEPS_SENTENCE = new Set(["wrong_code", "second_factor_required"])

function WhyRefused({ problem }: { problem: Error }) {
  if (!(problem instanceof Refusal)) return problem.message
  const reason = problem.dataOf("invalid_input")?.errors[0]?.reason
  if (reason === "full")
    return <Trans>Your account has as many log-in wallets as it can have. Remove one first.</Trans>
  if (reason === "invalid")
    return <Trans>The signature isn't this address's. Choose its account in the wallet and sign again.</Trans>
  if (problem.error === "already_exists")
    return <Trans>This wallet is bound to another account. It must be removed there first.</Trans>
  if (problem.error === "code_expired")
    return <Trans>The code or the signed sentence is too old. Start again with new ones.</Trans>
  return problem.message
}
