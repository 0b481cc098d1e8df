import { Trans, useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import { useSearch } from "@tanstack/react-router"
import { useEffect } from "react"
import { Refusal } from "../../lib/api.ts"
import { type BulletinShape, bulletinQuery, linkTo, tagOf } from "../../lib/bulletins.ts"
import { languageOf } from "../../lib/languages.ts"
import { markRead } from "../../lib/readMarks.ts"
import { formatDateTime } from "../../lib/time.ts"
import { useSetting } from "../../lib/useSetting.ts"
import { atApi } from "../../lib/wire/index.ts"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { IconButton } from "../../ui/IconButton.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Page } from "../../ui/Page.tsx"
import { Picture } from "../../ui/Picture.tsx"
import { Prose } from "../../ui/Prose.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"
import { useShare } from "../../ui/sharing.ts"
import { BulletinRow } from "./BulletinRow.tsx"

/** /bulletin-detail: one bulletin, and what to read next. */
export default function BulletinPage() {
  const { t } = useLingui()
  const { id } = useSearch({ from: "/bulletin-detail" })
  const share = useShare()
  const bulletin = useQuery({ ...bulletinQuery(id ?? 0), enabled: id !== undefined })
  const shown = bulletin.data
  useEffect(() => {
    if (shown) markRead(shown.id)
  }, [shown])
  const refused = bulletin.error instanceof Refusal && bulletin.error.error === "not_found"
  return (
    <Page
      title={shown?.kind === "news" ? t`News` : shown ? t`Notice` : t`Bulletin`}
      back="/bulletin"
      action={
        shown && <IconButton icon="share" size={5} label={t`Share`} onPress={() => share(linkTo(shown.id))} />
      }
    >
      {id === undefined || refused ? (
        <Empty
          text={<Trans>This bulletin isn't there, or no longer.</Trans>}
          action={
            <Button small to="/bulletin">
              <Trans>All bulletins</Trans>
            </Button>
          }
        />
      ) : (
        <Loaded query={bulletin} skeleton={<SkeletonText />}>
          {(data) => <Article key={data.id} bulletin={data} />}
        </Loaded>
      )}
    </Page>
  )
}

function Article({ bulletin }: { bulletin: BulletinShape }) {
  const [language] = useSetting("language")
  const { picture, related } = bulletin
  return (
    <>
      <article lang={tagOf(bulletin.lang)} className="pt-2">
        <h2 className="text-h1 break-words">{bulletin.title}</h2>
        <p className="mt-2 mb-5 text-small text-t3">{formatDateTime(bulletin.time)}</p>
        {picture && (
          <div className="mb-5">
            <Picture src={atApi(picture.url)} alt="" width={picture.width} height={picture.height} />
          </div>
        )}
        <Prose blocks={bulletin.blocks} />
      </article>
      {bulletin.lang !== languageOf(language).header && (
        <Notice>
          <Trans>There is no text in your language yet: this is the English one.</Trans>
        </Notice>
      )}
      {related.length > 0 && (
        <div className="mt-6">
          <Card flush title={<Trans>Read next</Trans>}>
            <ul>
              {related.map((row) => (
                <li key={row.id}>
                  <BulletinRow row={row} />
                </li>
              ))}
            </ul>
          </Card>
        </div>
      )}
    </>
  )
}

function SkeletonText() {
  return (
    <div className="pt-2">
      <Skeleton className="h-8 w-4/5" />
      <Skeleton className="mt-3 mb-6 h-4 w-32" />
      <Skeleton lines={4} />
      <Skeleton className="mt-4 mb-2 h-6 w-1/2" />
      <Skeleton lines={6} />
    </div>
  )
}
