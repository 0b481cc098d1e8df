import { formatDateTime } from "../lib/time.ts"
import { Skeleton } from "../ui/Skeleton.tsx"
import { AuthenticatorForm } from "./AuthenticatorForm.tsx"
import { Facts } from "./Facts.tsx"
import { KeyForm } from "./KeyForm.tsx"
import { Page } from "./Page.tsx"
import { Panel } from "./Panel.tsx"
import { PasswordForm } from "./PasswordForm.tsx"
import type { Staff } from "./shapes.ts"
import { useMe } from "./useMe.ts"

/** /operator/account: who one is here, and what one logs in and signs with. */
export default function AccountPage() {
  const me = useMe()
  return (
    <Page title="Your account" about="What you log in and sign with; a change ends your sessions elsewhere">
      {me ? <Parts me={me} /> : <Skeleton lines={8} />}
    </Page>
  )
}

function Parts({ me }: { me: Staff }) {
  const signs = me.roles.includes("reviewer")
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 desk:grid-cols-2">
      <div className="desk:col-span-2">
        <Panel title={me.name}>
          <Facts
            of={[
              ["Roles", me.roles.join(", ")],
              ["This session ends", formatDateTime(me.ends_at)],
              signs
                ? [
                    "Public signing key",
                    <span key="key" className="block text-left font-mono text-small break-all">
                      {me.public_key ?? "none yet: you can refuse withdrawals, not sign them"}
                    </span>,
                  ]
                : null,
            ]}
          />
        </Panel>
      </div>
      <Panel title="Password">
        <PasswordForm />
      </Panel>
      <Panel title="Authenticator">
        <AuthenticatorForm />
      </Panel>
      {signs && (
        <Panel title="Signing passphrase">
          <KeyForm me={me} />
        </Panel>
      )}
    </div>
  )
}
