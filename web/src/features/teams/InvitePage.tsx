import { Trans, useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { InfoAnswer } from "../../lib/api.gen.ts"
import { infoQuery } from "../../lib/queries.ts"
import { Banner } from "../../ui/Banner.tsx"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Page } from "../../ui/Page.tsx"
import { PosterStrip, usePosters } from "../../ui/PosterStrip.tsx"
import type { Design } from "../../ui/poster.ts"
import { Row } from "../../ui/Row.tsx"
import { Segmented } from "../../ui/Segmented.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"
import { saveFile, shareFile, useShare } from "../../ui/sharing.ts"

/** /invite: a poster with the member's code to hand on, and the code and link by themselves. */
export default function InvitePage() {
  const { t } = useLingui()
  const info = useQuery(infoQuery())
  return (
    <Page title={t`Invite friends`} back="/me">
      <Loaded query={info} skeleton={<Skeleton className="mx-auto mt-2 aspect-[3/4] w-[72%] rounded-card" />}>
        {(data) => <Invitation info={data} />}
      </Loaded>
    </Page>
  )
}

function Invitation({ info }: { info: InfoAnswer }) {
  const { t } = useLingui()
  const [design, setDesign] = useState<Design>("night")
  const share = useShare()
  const headline = t`Every result can be checked.`
  const posters = usePosters({
    seed: info.account,
    link: info.invite_link,
    headline,
    note: t`Scan to open an account`,
    codeLabel: t`Invitation code`,
    code: info.invite_code,
  })
  const poster = posters[design]
  const file = poster?.file
  return (
    <>
      {poster === null ? (
        <>
          <Button icon="share" onPress={() => share(info.invite_link)}>
            <Trans>Share</Trans>
          </Button>
          <p className="mt-2 text-center text-small text-t3">
            <Trans>This browser can't draw the poster: share the link instead.</Trans>
          </p>
        </>
      ) : (
        <>
          <PosterStrip
            label={t`Posters`}
            posters={posters}
            says={t`Poster: ${headline} Invitation code ${info.invite_code}, with a QR code of your link`}
            value={design}
            onChange={setDesign}
          />
          <div className="mx-auto mt-4 w-full max-w-72">
            <Segmented
              label={t`Design`}
              options={[
                { value: "night", label: t`Dark` },
                { value: "day", label: t`Light` },
                { value: "iris", label: t`Violet` },
              ]}
              value={design}
              onChange={setDesign}
            />
          </div>
          <div className="mt-4 grid grid-cols-2 gap-3">
            <Button
              small
              icon="share"
              disabled={!file}
              onPress={() => file && shareFile(file, () => share(info.invite_link))}
            >
              <Trans>Share</Trans>
            </Button>
            <Button small kind="quiet" icon="save" disabled={!file} onPress={() => file && saveFile(file)}>
              <Trans>Save image</Trans>
            </Button>
          </div>
          <p className="mt-2 text-center text-small text-t3">
            <Trans>Or press and hold the poster to save it.</Trans>
          </p>
        </>
      )}
      <Card flush>
        <Row
          title={<span className="font-mono">{info.invite_code}</span>}
          note={t`Invitation code`}
          trailing={<CopyButton text={info.invite_code} label={t`Copy the invitation code`} />}
        />
        <Row
          title={<span className="text-small break-all">{info.invite_link}</span>}
          note={t`Invitation link`}
          trailing={<CopyButton text={info.invite_link} label={t`Copy the invitation link`} />}
        />
      </Card>
      <Card title={t`What inviting brings`}>
        <p className="text-small text-t2">
          <Trans>
            No reward is paid for inviting. What your team turns over counts towards your level, nothing else.
          </Trans>
        </p>
      </Card>
      <Card flush>
        <Row
          icon={<Icon name="me" size={5} className="text-t2" />}
          title={t`My team`}
          to="/invite1"
          trailing="next"
        />
      </Card>
      <Banner />
    </>
  )
}
