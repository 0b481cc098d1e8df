import { Trans, useLingui } from "@lingui/react/macro"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useRef, useState } from "react"
import { call, Refusal } from "../../lib/api.ts"
import { useOnline } from "../../lib/network.ts"
import { notify } from "../../lib/notices.ts"
import { askAnew } from "../../lib/queries.ts"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Field } from "../../ui/Field.tsx"
import { Form } from "../../ui/Form.tsx"

const HASH = /^(0x)?[0-9a-fA-F]{64}$/

interface Props {
  /** What stands in the field. */
  text: string
  onType: (text: string) => void
  onDone: () => void
}

/** Name a transaction that doesn't show by itself. What the server doesn't find stays in the field. */
export function HashForm({ text, onType, onDone }: Props) {
  const { t } = useLingui()
  const [tried, setTried] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const online = useOnline()
  const client = useQueryClient()
  const submit = useMutation({
    mutationFn: (hash: string) => call("/api/recharge/recharge", { hash }, { quiet: true }),
    onSuccess: () => {
      askAnew(client, "/api/dapp/rechargeList")
      notify(t`Found. It is in your records.`)
      onDone()
    },
  })
  const hash = text.trim()
  const whole = HASH.test(hash)
  const send = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!whole) field.current?.focus()
    else if (online) submit.mutate(hash.startsWith("0x") ? hash.toLowerCase() : `0x${hash.toLowerCase()}`)
  }
  const shapeProblem =
    !whole && (tried || hash.length >= 64) ? t`A transaction hash has 64 characters of 0–9 and a–f` : ""
  return (
    <Form onSubmit={send}>
      <Card>
        <p className="text-small text-t2">
          <Trans>
            A top-up appears by itself as soon as its block is read. If yours doesn't, give the hash of its
            transaction: the server looks it up on the chain. Nothing is ever credited on anybody's word.
          </Trans>
        </p>
        <Field
          ref={field}
          label={t`Transaction hash`}
          placeholder="0x…"
          mono
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={80}
          value={text}
          onChange={(event) => {
            onType(event.currentTarget.value)
            setTried(false)
            submit.reset()
          }}
          error={shapeProblem || (submit.error ? <Reason problem={submit.error} /> : "")}
        />
      </Card>
      <div className="mt-auto pt-4">
        <Button submit busy={submit.isPending} {...(online ? {} : { reason: t`No connection` })}>
          <Trans>Submit hash</Trans>
        </Button>
      </div>
    </Form>
  )
}

function Reason({ problem }: { problem: Error }) {
  const later = problem instanceof Refusal && problem.error === "submit_failed"
  return (
    <span role="alert">
      {problem.message}
      {later && (
        <>
          {". "}
          <Trans>No block holds it yet. Wait a moment and try again.</Trans>
        </>
      )}
    </span>
  )
}
