import { Trans, useLingui } from "@lingui/react/macro"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { useForm } from "react-hook-form"
import { call } from "../../lib/api.ts"
import { appDetails } from "../../lib/details.ts"
import { useOnline } from "../../lib/network.ts"
import { notify } from "../../lib/notices.ts"
import { usePictures } from "../../lib/pictures.ts"
import { askAnew } from "../../lib/queries.ts"
import { Button } from "../../ui/Button.tsx"
import { Check } from "../../ui/Check.tsx"
import { CheckedForm } from "../../ui/CheckedForm.tsx"
import { Field } from "../../ui/Field.tsx"
import { Page } from "../../ui/Page.tsx"
import { PicturesField } from "../../ui/PicturesField.tsx"
import { Problem } from "../../ui/Problem.tsx"
import { TextArea } from "../../ui/TextArea.tsx"
import { LONGEST_SUBJECT, LONGEST_TEXT, linesOf, MOST_PICTURES, withDetails } from "./rules.ts"

/** A new ticket: what it is about, what happened, pictures, and what this app can say of itself. */
export function NewTicket() {
  const { t } = useLingui()
  const online = useOnline()
  const client = useQueryClient()
  const navigate = useNavigate()
  const pictures = usePictures(MOST_PICTURES)
  const [details, setDetails] = useState(true)
  // Taken once: sent again, the message says the same and is known to be the same.
  const [about] = useState(() => appDetails())
  const form = useForm({ shouldFocusError: false, defaultValues: { subject: "", text: "" } })
  const { errors } = form.formState
  const sending = useMutation({
    mutationFn: ({ subject, text }: { subject: string; text: string }) => {
      const whole = linesOf(details ? withDetails(text, about) : text)
      return call(
        "/api/support/open",
        { subject: subject.trim(), text: whole, images: pictures.ids },
        { quiet: true },
      )
    },
    onSuccess: ({ ticket_id }) => {
      notify(t`Sent. The answer will stand here.`)
      askAnew(client, "/api/support/list")
      void navigate({ to: "/me3", search: { view: "service", ticket: ticket_id }, replace: true })
    },
  })
  return (
    <Page title={t`Write to us`} back="/me3">
      <p className="mt-2 text-small text-t2">
        <Trans>We never ask for a password, a code or the words of a wallet. Don't write them here.</Trans>
      </p>
      <CheckedForm form={form} order={["subject", "text"]} onSubmit={(fields) => sending.mutate(fields)}>
        <Field
          label={t`Subject`}
          autoComplete="off"
          maxLength={LONGEST_SUBJECT}
          error={errors.subject?.message}
          {...form.register("subject", { validate: (text) => text.trim() !== "" || t`Say what it is about` })}
        />
        <TextArea
          label={t`What happened, and what you expected`}
          maxLength={LONGEST_TEXT}
          error={errors.text?.message}
          {...form.register("text", { validate: (text) => text.trim() !== "" || t`Write what happened` })}
        />
        <PicturesField label={t`Pictures`} pictures={pictures} />
        <Check checked={details} onChange={setDetails}>
          <Trans>
            Add what this app says of itself: version, browser, language. No balance, no password.
          </Trans>
        </Check>
        <div className="mt-auto pt-6">
          <Problem problem={sending.error} />
          <Button
            submit
            busy={sending.isPending}
            {...(online
              ? pictures.ready
                ? {}
                : { reason: t`Wait for the pictures, or remove those that can't be sent` }
              : { reason: t`No connection` })}
          >
            <Trans>Send</Trans>
          </Button>
        </div>
      </CheckedForm>
    </Page>
  )
}
