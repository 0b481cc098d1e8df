import { Trans, useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import type { MailShape } from "../lib/api.gen.ts"
import { callQuery } from "../lib/queries.ts"
import { formatTime } from "../lib/time.ts"
import { Button } from "./Button.tsx"
import { Empty } from "./Empty.tsx"
import { Loaded } from "./Loaded.tsx"
import { Sheet, useSheet } from "./Sheet.tsx"
import { Skeleton } from "./Skeleton.tsx"

interface Props {
  /** The address, or the account that it belongs to. */
  email: string
  onCode: (code: string) => void
}

const EVERY = 1_500

/** Demo mode's inbox: the mails that were sent to an address, and a press that takes a code over. */
export default function DemoInbox({ email, onCode }: Props) {
  const { t } = useLingui()
  const sheet = useSheet(`inbox ${email}`)
  const mails = useQuery({
    ...callQuery("/api/demo/inbox", { email }),
    enabled: sheet.shown,
    refetchInterval: EVERY,
  })
  const use = (code: string) => {
    sheet.hide()
    onCode(code)
  }
  return (
    <>
      <div className="mt-2">
        <Button kind="quiet" small icon="mail" onPress={sheet.show}>
          <Trans>Open the demo inbox</Trans>
        </Button>
      </div>
      <Sheet sheet={sheet} title={t`Demo inbox`}>
        <p className="text-small break-all text-t3">{email}</p>
        <Loaded
          query={mails}
          skeleton={<Skeleton className="mt-3 h-40 w-full rounded-card" />}
          empty={{
            when: ({ list }) => list.length === 0,
            show: (
              <Empty
                text={t`No mail yet. It comes within a few seconds.`}
                action={
                  <Button kind="quiet" small onPress={() => void mails.refetch()}>
                    <Trans>Refresh</Trans>
                  </Button>
                }
              />
            ),
          }}
        >
          {({ list }) =>
            list.map((mail) => <Mail key={`${mail.time} ${mail.code}`} mail={mail} onUse={use} />)
          }
        </Loaded>
      </Sheet>
    </>
  )
}

function Mail({ mail, onUse }: { mail: MailShape; onUse: (code: string) => void }) {
  const { subject, text, code, time } = mail
  return (
    <article className="mt-3 rounded-card bg-s2 p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 className="font-semibold">{subject}</h3>
        <span className="text-small text-t3">{formatTime(time)}</span>
      </div>
      <p className="mt-2 text-small break-words whitespace-pre-line text-t2">{text.trim()}</p>
      {code !== null && (
        <div className="mt-4">
          <Button small onPress={() => onUse(code)}>
            <Trans>Use this code</Trans>
          </Button>
        </div>
      )}
    </article>
  )
}
