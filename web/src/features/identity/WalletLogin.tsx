import { Trans, useLingui } from "@lingui/react/macro"
import { useMutation, useQuery } from "@tanstack/react-query"
import { useForm } from "react-hook-form"
import { call, Refusal } from "../../lib/api.ts"
import { bareCode } from "../../lib/codes.ts"
import { keepDevice, knownDevice } from "../../lib/device.ts"
import { startSession } from "../../lib/session.ts"
import { addressOf, findWallets, signText, type Wallet, WalletProblem } from "../../lib/wallet.ts"
import { Button } from "../../ui/Button.tsx"
import { CheckedForm } from "../../ui/CheckedForm.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Row } from "../../ui/Row.tsx"
import { Sheet, useSheet } from "../../ui/Sheet.tsx"
import { SkeletonRows } from "../../ui/SkeletonRows.tsx"
import { GoogleCodeField } from "./GoogleCodeField.tsx"

/** What a wallet answered to a nonce; it serves once more where the authenticator's code is missing. */
interface Signed {
  name: string
  code: string
  sign_message: string
}

/** Log in by the signature of a bound wallet: the server's text, shown and signed by the wallet itself. */
export default function WalletLogin() {
  const { t } = useLingui()
  const sheet = useSheet("wallet")
  return (
    <>
      <div className="mt-3">
        <Button kind="quiet" icon="assets" onPress={sheet.show}>
          <Trans>Log in with a wallet</Trans>
        </Button>
      </div>
      <Sheet sheet={sheet} title={t`Log in with a wallet`}>
        <Wallets />
      </Sheet>
    </>
  )
}

function Wallets() {
  const wallets = useQuery({ queryKey: ["wallets"], queryFn: () => findWallets(), gcTime: 0 })
  const login = useMutation({
    mutationFn: async (wallet: Wallet) => {
      const address = await addressOf(wallet)
      const { nonce, message } = await call("/api/auth/nonce", { address }, { quiet: true })
      const signed = { name: address, code: nonce, sign_message: await signText(wallet, address, message) }
      return { signed, needs: await enter(signed) }
    },
  })
  if (login.data?.needs) return <SecondFactor signed={login.data.signed} onLost={login.reset} />
  return (
    <>
      <p className="text-t2">
        <Trans>Your wallet signs a short message in English. It moves no coins and costs nothing.</Trans>
      </p>
      <Loaded
        query={wallets}
        skeleton={<SkeletonRows rows={1} />}
        empty={{ when: (found) => found.length === 0, show: <NoWallet /> }}
      >
        {(found) => (
          <ul className="mt-2">
            {found.map((wallet) => (
              <li key={wallet.id}>
                <WalletRow wallet={wallet} busy={login.isPending} onPress={() => login.mutate(wallet)} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {login.error && (
        <Notice tone="danger">
          <WhyNot problem={login.error} />
        </Notice>
      )}
    </>
  )
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

function WalletRow({ wallet, busy, onPress }: { wallet: Wallet; busy: boolean; onPress: () => void }) {
  const { t } = useLingui()
  return (
    <Row
      icon={<Icon name="assets" size={5} className="text-t2" />}
      title={wallet.name || t`The wallet of this browser`}
      {...(busy ? { note: t`Confirm in your wallet` } : { trailing: "next" as const, onPress })}
    />
  )
}

function NoWallet() {
  return (
    <Notice tone="warn">
      <Trans>
        No wallet was found here. Open this page in your wallet's own browser, or in one that has its
        extension.
      </Trans>
    </Notice>
  )
}

function WhyNot({ problem }: { problem: Error }) {
  if (problem instanceof WalletProblem)
    return problem.kind === "declined" ? (
      <Trans>You declined in the wallet. Nothing has happened.</Trans>
    ) : (
      <Trans>The wallet gave no usable answer. Unlock it and try again.</Trans>
    )
  if (problem instanceof Refusal && problem.error === "wrong_credentials")
    return <Trans>This wallet is bound to no account. Log in otherwise and bind it first.</Trans>
  return problem.message
}
