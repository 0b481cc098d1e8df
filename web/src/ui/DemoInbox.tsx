import { Trans, useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { MailShape } from "../lib/api.gen.ts"
import { looksLikeEmail } from "../lib/credentials.ts"
import { callQuery } from "../lib/queries.ts"
import { useResend } from "../lib/resend.ts"
import { formatTime } from "../lib/time.ts"
import { Button } from "./Button.tsx"
import { Empty } from "./Empty.tsx"
import { Field } from "./Field.tsx"
import { Loaded } from "./Loaded.tsx"
import { Sheet, useSheet } from "./Sheet.tsx"
import { Skeleton } from "./Skeleton.tsx"

interface Props {
  /** Absent where the page knows the address only masked: then it is typed. */
  email?: string
  onCode: (code: string) => void
}

const EVERY = 1_500

/** Demo mode's inbox: the mails that were sent to this address, and a press that takes a code over. */
export default function DemoInbox({ email, onCode }: Props) {
  const { t } = useLingui()
  const sheet = useSheet("inbox")
  // What was typed at the door on this device is a good guess.
  const [typed, setTyped] = useState(useResend().email)
  const address = email ?? typed.trim()
  const asked = looksLikeEmail(address)
  const mails = useQuery({
    ...callQuery("/api/demo/inbox", { email: address }),
    enabled: sheet.shown && asked,
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
        {email === undefined ? (
          <Field
            label={t`Your e-mail`}
            type="email"
            inputMode="email"
            autoCapitalize="none"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        ) : (
          <p className="text-small break-all text-t3">{email}</p>
        )}
        {asked && (
          <Loaded
            query={mails}
            skeleton={<Skeleton className="mt-3 h-40 w-full rounded-card" />}
            empty={{
              when: ({ list }) => list.length === 0,
              show: <Empty text={t`No mail yet. It comes within a few seconds.`} />,
            }}
          >
            {({ list }) =>
              list.map((mail) => <Mail key={`${mail.time} ${mail.code}`} mail={mail} onUse={use} />)
            }
          </Loaded>
        )}
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
