import { Trans, useLingui } from "@lingui/react/macro"
import { Card } from "../../ui/Card.tsx"
import { OutsideLink } from "../../ui/OutsideLink.tsx"
import { Page } from "../../ui/Page.tsx"
import { Row } from "../../ui/Row.tsx"
import { BuildCard } from "./BuildCard.tsx"
import { InstallCard } from "./InstallCard.tsx"
import { AUTHENTICATORS, type Tool, VPNS } from "./tools.ts"

/**
 * /software-download: this app, authenticator apps, and what files this page started from.
 * A list of VPNs must also stay hidden where features are off for the member's country: countries aren't built, so it is empty.
 */
export default function ToolsPage() {
  const { t } = useLingui()
  return (
    <Page title={t`Apps and tools`} back="/me">
      <InstallCard />
      <Tools
        title={t`Authenticator apps`}
        text={t`They make the codes for two-step log-in. Use one for your e-mail account: whoever reads your mail gets our codes too.`}
        tools={AUTHENTICATORS}
      />
      {VPNS.length > 0 && (
        <Tools
          title={t`Network tools (VPN)`}
          text={t`For privacy only; it does not change your country here.`}
          tools={VPNS}
        />
      )}
      <BuildCard />
      <Card flush>
        <Row title={t`Wallets guide`} to="/wallet-register" trailing="next" />
        <Row title={<Trans>Security</Trans>} to="/me1" trailing="next" />
      </Card>
    </Page>
  )
}

function Tools({ title, text, tools }: { title: string; text: string; tools: readonly Tool[] }) {
  const { i18n } = useLingui()
  return (
    <Card flush title={title}>
      <p className="py-1.5 text-small text-t3">{text}</p>
      {tools.map(({ name, site, note }) => (
        <OutsideLink key={site} href={site} title={name} note={i18n._(note)} />
      ))}
    </Card>
  )
}
