import { Trans, useLingui } from "@lingui/react/macro"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { useForm } from "react-hook-form"
import type { MessageShape } from "../../lib/api.gen.ts"
import { call } from "../../lib/api.ts"
import { useOnline } from "../../lib/network.ts"
import { usePictures } from "../../lib/pictures.ts"
import { askAnew, callQuery } from "../../lib/queries.ts"
import { formatMoment } from "../../lib/time.ts"
import { atApi } from "../../lib/wire/index.ts"
import { Button } from "../../ui/Button.tsx"
import { CheckedForm } from "../../ui/CheckedForm.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Page } from "../../ui/Page.tsx"
import { PicturesField } from "../../ui/PicturesField.tsx"
import { Pressable } from "../../ui/Pressable.tsx"
import { Problem } from "../../ui/Problem.tsx"
import { SkeletonRows } from "../../ui/SkeletonRows.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { TextArea } from "../../ui/TextArea.tsx"
import { LONGEST_TEXT, linesOf, MOST_PICTURES } from "./rules.ts"
import { useStateWords } from "./words.ts"

const EVERY = 15_000

/** One ticket: what was written, and the member's next message. Opening it counts its answers as read. */
export function TicketThread({ id }: { id: string }) {
  const { t } = useLingui()
  const client = useQueryClient()
  const words = useStateWords()
  const thread = useQuery({
    ...callQuery("/api/support/read", { ticket_id: id }),
    refetchInterval: EVERY,
  })
  const count = thread.data?.messages.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new message changes what the list shows as unread
  useEffect(() => askAnew(client, "/api/support/list"), [client, count])
  return (
    <Page title={thread.data?.subject ?? t`Customer service`} back="/me3">
      <Loaded query={thread} skeleton={<SkeletonRows rows={4} />}>
        {({ state, messages }) => (
          <>
            <p className="mt-2">
              <Tag tone={words[state].tone}>{words[state].text}</Tag>
            </p>
            <ol className="mt-2 flex flex-col gap-3">
              {messages.map((message) => (
                <Message key={message.id} message={message} />
              ))}
            </ol>
            {state === "closed" ? (
              <div className="mt-auto pt-6">
                <Notice>
                  <Trans>This ticket is closed. If it isn't settled, write a new one.</Trans>
                </Notice>
                <div className="mt-4">
                  <Button kind="quiet" to="/me3" search={{ view: "service", ticket: "new" }}>
                    <Trans>Write to us</Trans>
                  </Button>
                </div>
              </div>
            ) : (
              <Reply id={id} />
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** The member's own stand at the right. */
function Message({ message: { by, text, images, time } }: { message: MessageShape }) {
  const { t } = useLingui()
  const own = by === "member"
  return (
    <li className={`max-w-[85%] rounded-card px-4 py-3 ${own ? "self-end bg-s2" : "self-start bg-s1"}`}>
      <p className="text-small text-t3">
        {own ? t`You` : t`Customer service`} · {formatMoment(time)}
      </p>
      <p className="mt-1 break-words whitespace-pre-line">{text}</p>
      {images.length > 0 && (
        <ul className="mt-2 flex flex-wrap gap-2">
          {images.map((image, index) => (
            <li key={image}>
              <Pressable href={atApi(image)} label={t`Picture ${index + 1}`} className="block rounded-cell">
                <img src={atApi(image)} alt="" className="size-20 rounded-cell bg-s3 object-cover" />
              </Pressable>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

function Reply({ id }: { id: string }) {
  const { t } = useLingui()
  const online = useOnline()
  const client = useQueryClient()
  const pictures = usePictures(MOST_PICTURES)
  const form = useForm({ shouldFocusError: false, defaultValues: { text: "" } })
  const end = useRef<HTMLDivElement>(null)
  const sending = useMutation({
    mutationFn: ({ text, images }: { text: string; images: string[] }) =>
      call("/api/support/reply", { ticket_id: id, text: linesOf(text), images }, { quiet: true }),
    onSuccess: async (_, { text, images }) => {
      // What was written meanwhile is the next message.
      if (form.getValues("text") === text) form.reset()
      pictures.drop(images)
      await client.invalidateQueries({ queryKey: ["/api/support/read"] })
      end.current?.scrollIntoView?.({ block: "end" })
    },
    onError: () => askAnew(client, "/api/support/read"),
  })
  return (
    <div ref={end} className="mt-auto pt-6">
      <CheckedForm
        form={form}
        order={["text"]}
        onSubmit={({ text }) => sending.mutate({ text, images: pictures.ids })}
      >
        <TextArea
          label={t`Your message`}
          rows={3}
          maxLength={LONGEST_TEXT}
          error={form.formState.errors.text?.message}
          {...form.register("text", { validate: (text) => text.trim() !== "" || t`Write something first` })}
        />
        <PicturesField label={t`Pictures`} pictures={pictures} />
        <div className="mt-4">
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
    </div>
  )
}
