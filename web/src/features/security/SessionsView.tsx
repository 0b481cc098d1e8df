import { Trans, useLingui } from "@lingui/react/macro"
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import type { SessionShape } from "../../lib/api.gen.ts"
import { call } from "../../lib/api.ts"
import { notify } from "../../lib/notices.ts"
import { askAnew, pagesQuery, rowsOf } from "../../lib/queries.ts"
import { formatMoment } from "../../lib/time.ts"
import { Button } from "../../ui/Button.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { InfiniteList } from "../../ui/InfiniteList.tsx"
import { Line } from "../../ui/Line.tsx"
import { Page } from "../../ui/Page.tsx"
import { Problem } from "../../ui/Problem.tsx"
import { Row } from "../../ui/Row.tsx"
import { Sheet, useSheet } from "../../ui/Sheet.tsx"
import { Tag } from "../../ui/Tag.tsx"

const EVERY = 15_000

/** /me1?view=sessions: where the member is logged in, each of which can be ended. */
export default function SessionsView() {
  const { t } = useLingui()
  const sessions = useInfiniteQuery({ ...pagesQuery("/api/user/sessions", {}), refetchInterval: EVERY })
  const [opened, setOpened] = useState<string | null>(null)
  const shown = rowsOf(sessions.data).find(({ id }) => id === opened)
  const detail = useSheet("session", shown !== undefined)
  const all = useSheet("others")
  const others = rowsOf(sessions.data).some(({ current }) => !current)
  return (
    <Page
      title={t`Sessions`}
      back="/me1"
      footer={
        others ? (
          <Button kind="quiet" icon="logout" onPress={all.show}>
            <Trans>End all other sessions</Trans>
          </Button>
        ) : undefined
      }
    >
      <p className="mt-2 text-small text-t2">
        <Trans>A session that you don't know? End it, then change your password.</Trans>
      </p>
      <InfiniteList
        query={sessions}
        keyOf={({ id }) => id}
        row={(session) => (
          <SessionRow
            session={session}
            onPress={() => {
              setOpened(session.id)
              detail.show()
            }}
          />
        )}
        empty={null} // the session that asks is always one
        skeletonRows={3}
      />
      {shown && <SessionSheet sheet={detail} session={shown} />}
      <OthersSheet sheet={all} />
    </Page>
  )
}

type SheetOf = { sheet: ReturnType<typeof useSheet> }

function SessionRow({ session, onPress }: { session: SessionShape; onPress: () => void }) {
  const { t } = useLingui()
  const { device, network, last_at, current } = session
  return (
    <Row
      icon={<Icon name={current ? "check" : "globe"} size={5} className="text-t2" />}
      title={device || t`Unknown device`}
      note={[network, formatMoment(last_at)].filter(Boolean).join(" · ")}
      value={current ? <Tag tone="up">{t`This device`}</Tag> : undefined}
      trailing="next"
      onPress={onPress}
    />
  )
}

function SessionSheet({ sheet, session }: SheetOf & { session: SessionShape }) {
  const { t } = useLingui()
  const ending = useEnding(sheet, t`Session ended`)
  const { id, device, network, created_at, last_at, current } = session
  return (
    <Sheet
      sheet={sheet}
      title={device || t`Unknown device`}
      footer={
        current ? undefined : (
          <>
            <Problem problem={ending.error} />
            <Button kind="danger" busy={ending.isPending} onPress={() => ending.mutate(id)}>
              <Trans>End this session</Trans>
            </Button>
          </>
        )
      }
    >
      {network !== "" && <Line name={t`Network`}>{network}</Line>}
      <Line name={t`Logged in`}>{formatMoment(created_at)}</Line>
      <Line name={t`Last used, to the hour`}>{formatMoment(last_at)}</Line>
      {current && (
        <p className="mt-3 text-small text-t2">
          <Trans>This is the session you are in. Log out in the settings.</Trans>
        </p>
      )}
    </Sheet>
  )
}

function OthersSheet({ sheet }: SheetOf) {
  const { t } = useLingui()
  const ending = useEnding(sheet, t`All other sessions have ended`)
  return (
    <Sheet
      sheet={sheet}
      title={t`End all other sessions?`}
      footer={
        <>
          <Problem problem={ending.error} />
          <Button kind="danger" busy={ending.isPending} onPress={() => ending.mutate("others")}>
            <Trans>End all other sessions</Trans>
          </Button>
        </>
      }
    >
      <p className="text-t2">
        <Trans>Every other device has to log in again. You stay logged in here.</Trans>
      </p>
    </Sheet>
  )
}

/** End a session, or all others, and close the sheet that asked. */
function useEnding(sheet: ReturnType<typeof useSheet>, done: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call("/api/user/endSession", { id }, { quiet: true }),
    onSuccess: () => {
      sheet.hide()
      notify(done)
    },
    onSettled: () => askAnew(client, "/api/user/sessions", "/api/user/securityLog"),
  })
}
