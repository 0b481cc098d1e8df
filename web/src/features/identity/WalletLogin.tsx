import { Trans } from "@lingui/react/macro"
import { useMutation } from "@tanstack/react-query"
import { useRef } from "react"
import { useForm } from "react-hook-form"
import { call, Refusal } from "../../lib/api.ts"
import { bareCode } from "../../lib/codes.ts"
import { keepDevice, knownDevice } from "../../lib/device.ts"
import { startSession } from "../../lib/session.ts"
import { addressOf, signText, type Wallet } from "../../lib/wallet.ts"
import { Button } from "../../ui/Button.tsx"
import { CheckedForm } from "../../ui/CheckedForm.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { SlideSheet, useSlideSheet } from "../../ui/SlideSheet.tsx"
import { WalletChoice, WhyNot } from "../../ui/WalletChoice.tsx"
import { GoogleCodeField } from "./GoogleCodeField.tsx"

/** What a wallet answered to a nonce; it serves once more where a slide or the authenticator's code is missing. */
interface Signed {
  name: string
  code: string
  sign_message: string
  proof?: string
}

/** Log in by the signature of a bound wallet: the server's text, shown and signed by the wallet itself. */
export default function WalletLogin() {
  const slide = useSlideSheet()
  const signed = useRef<Signed>(undefined)
  const login = useMutation({
    mutationFn: async (by: Wallet | Signed) => {
      signed.current = "provider" in by ? await sign(by) : by
      return { signed: signed.current, needs: await enter(signed.current) }
    },
    // What was signed hasn't been used up yet.
    onError: (problem) => problem instanceof Refusal && problem.error === "slide_required" && slide.show(),
  })
  if (login.data?.needs) return <SecondFactor signed={login.data.signed} onLost={login.reset} />
  return (
    <>
      <p className="text-t2">
        <Trans>Your wallet signs a short message in English. It moves no coins and costs nothing.</Trans>
      </p>
      <WalletChoice busy={login.isPending} onChoose={(wallet) => login.mutate(wallet)} />
      <SlideSheet
        sheet={slide}
        onProof={(proof) => signed.current && login.mutate({ ...signed.current, proof })}
      />
      {login.error && !slide.shown && (
        <Notice tone="danger">
          {login.error instanceof Refusal && login.error.error === "wrong_credentials" ? (
            <Trans>This wallet is bound to no account. Log in otherwise and bind it first.</Trans>
          ) : (
            <WhyNot problem={login.error} />
          )}
        </Notice>
      )}
    </>
  )
}

async function sign(wallet: Wallet): Promise<Signed> {
  const address = await addressOf(wallet)
  const { nonce, message } = await call("/api/auth/nonce", { address }, { quiet: true })
  return { name: address, code: nonce, sign_message: await signText(wallet, address, message) }
}

/** Log in with what a wallet signed. True: the authenticator's code is missing. */
async function enter(signed: Signed, google_code?: string): Promise<boolean> {
  const factor = google_code === undefined ? {} : { google_code }
  const answer = await call("/api/auth/login", { ...signed, ...factor, ...knownDevice() }, { quiet: true })
  if ("need" in answer) return true
  keepDevice(answer.device)
  startSession(answer.token)
  return false
}

/** A wrong code uses the signature up: then the wallet signs anew. */
function SecondFactor({ signed, onLost }: { signed: Signed; onLost: () => void }) {
  const form = useForm({ shouldFocusError: false, defaultValues: { google_code: "" } })
  const login = useMutation({
    mutationFn: ({ google_code }: { google_code: string }) => enter(signed, bareCode(google_code)),
  })
  return (
    <CheckedForm form={form} order={["google_code"]} onSubmit={(fields) => login.mutate(fields)}>
      <GoogleCodeField error={undefined} {...form.register("google_code")} />
      {login.error && <Notice tone="danger">{login.error.message}</Notice>}
      <div className="mt-6">
        {login.error ? (
          <Button onPress={onLost}>
            <Trans>Sign again</Trans>
          </Button>
        ) : (
          <Button submit busy={login.isPending}>
            <Trans>Log in</Trans>
          </Button>
        )}
      </div>
    </CheckedForm>
  )
}
