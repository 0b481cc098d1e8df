import { Trans, useLingui } from "@lingui/react/macro"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useForm } from "react-hook-form"
import { call } from "../../lib/api.ts"
import { notify } from "../../lib/notices.ts"
import { askAnew, infoQuery } from "../../lib/queries.ts"
import { Button } from "../../ui/Button.tsx"
import { CheckedForm } from "../../ui/CheckedForm.tsx"
import { Field } from "../../ui/Field.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Page } from "../../ui/Page.tsx"
import { Problem } from "../../ui/Problem.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"

const LONGEST = 20

/** /me1?view=word: the word that every mail shows, so that a mail without it is known to be false. */
export default function WordView() {
  const { t } = useLingui()
  const info = useQuery(infoQuery())
  return (
    <Page title={t`Anti-phishing word`} back="/me1">
      <p className="mt-2 text-t2">
        <Trans>
          Every mail from Kalos to you shows this word. A mail without it isn't from us, however real it
          looks.
        </Trans>
      </p>
      <Loaded query={info} skeleton={<Skeleton className="mt-4 h-40 w-full rounded-card" />}>
        {({ anti_phishing }) => <WordForm key={anti_phishing} word={anti_phishing} />}
      </Loaded>
    </Page>
  )
}

function WordForm({ word }: { word: string | null }) {
  const { t } = useLingui()
  const client = useQueryClient()
  const form = useForm({ shouldFocusError: false, defaultValues: { word: word ?? "" } })
  const saving = useMutation({
    mutationFn: (chosen: string | null) => call("/api/user/antiPhishing", { word: chosen }, { quiet: true }),
    onSuccess: (_, chosen) => {
      notify(chosen === null ? t`Word removed` : t`Word saved`)
      askAnew(client, "/api/user/info", "/api/user/securityLog")
    },
  })
  return (
    <CheckedForm form={form} order={["word"]} onSubmit={(fields) => saving.mutate(fields.word.trim())}>
      <Field
        label={t`Your word`}
        autoComplete="off"
        hint={t`1 to 20 characters. Not a password: others may see it in your mails.`}
        error={form.formState.errors.word?.message}
        {...form.register("word", {
          validate: (text) =>
            (text.trim() !== "" && [...text.trim()].length <= LONGEST) || t`Between 1 and 20 characters`,
        })}
      />
      <div className="mt-6 flex flex-col gap-2">
        <Problem problem={saving.error} />
        <Button submit busy={saving.isPending}>
          <Trans>Save the word</Trans>
        </Button>
        {word !== null && (
          <Button kind="quiet" disabled={saving.isPending} onPress={() => saving.mutate(null)}>
            <Trans>Remove the word</Trans>
          </Button>
        )}
      </div>
    </CheckedForm>
  )
}
