import { Plural, Trans, useLingui } from "@lingui/react/macro"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useForm, useWatch } from "react-hook-form"
import type { ChainShape } from "../../lib/api.gen.ts"
import { call, Refusal } from "../../lib/api.ts"
import { useOnline } from "../../lib/network.ts"
import { notify } from "../../lib/notices.ts"
import { askAnew } from "../../lib/queries.ts"
import { requestIds } from "../../lib/requests.ts"
import { useSecondFactor } from "../../lib/secondFactor.ts"
import { Button } from "../../ui/Button.tsx"
import { CheckedForm } from "../../ui/CheckedForm.tsx"
import { Field } from "../../ui/Field.tsx"
import { Line } from "../../ui/Line.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Problem } from "../../ui/Problem.tsx"
import { SecondFactorField } from "../../ui/SecondFactorField.tsx"
import { SlideSheet, useSlideSheet } from "../../ui/SlideSheet.tsx"
import { AddressField } from "./AddressField.tsx"
import { type BookForm, FIELDS, fieldOf, labelOf, MOST_LABEL, START } from "./bookForm.ts"
import { OutPasswordField } from "./OutPasswordField.tsx"

interface Props {
  chain: ChainShape
  waitHours: number
  /** The addresses that stand in the book already. */
  known: readonly string[]
  onDone: () => void
}

/** Write an address into the book: where, under which name, from when usable, and who says so. */
export function AddAddress({ chain, waitHours, known, onDone }: Props) {
  const { t } = useLingui()
  const client = useQueryClient()
  const online = useOnline()
  const factor = useSecondFactor("address")
  const slide = useSlideSheet()
  const [idOf] = useState(requestIds)
  const form = useForm<BookForm>({ mode: "onTouched", shouldFocusError: false, defaultValues: START })
  const label = useWatch({ control: form.control, name: "label" })
  const { errors } = form.formState
  const adding = useMutation({
    mutationFn: (proof: string) => {
      const { address, label, out_password } = form.getValues()
      const entry = { chain: chain.chain_id, address: address.trim(), label: labelOf(label) }
      const shown = { out_password, ...factor.codes, proof }
      return call("/api/user/bindWallet", { ...entry, ...shown, request_id: idOf(entry) }, { quiet: true })
    },
    onSuccess: () => {
      notify(t`Address added`)
      onDone()
    },
    onError: (problem) => {
      const field = problem instanceof Refusal ? fieldOf(problem) : undefined
      if (field) form.setError(field, { message: problem.message }, { shouldFocus: true })
      if (field || factor.refused(problem)) adding.reset()
    },
    // Also where no answer came: it may stand there.
    onSettled: () => askAnew(client, "/api/user/info", "/api/user/walletList", "/api/user/securityLog"),
  })
  return (
    <CheckedForm form={form} order={FIELDS} onSubmit={() => factor.check() && slide.show()}>
      <Line name={<Trans>Network</Trans>}>
        {chain.name} · {chain.protocol}
      </Line>
      <AddressField form={form} network={chain.name} known={known} />
      <Field
        label={t`Name for it`}
        autoComplete="off"
        hint={`${[...labelOf(label)].length} / ${MOST_LABEL}`}
        error={errors.label?.message}
        {...form.register("label", {
          validate: (text) =>
            ([...labelOf(text)].length >= 1 && [...labelOf(text)].length <= MOST_LABEL) ||
            t`Between 1 and 32 characters`,
        })}
      />
      <OutPasswordField form={form} />
      <SecondFactorField factor={factor} />
      <p className="mt-4 text-small text-t2">
        {waitHours === 0 ? (
          <Trans>It can be used at once.</Trans>
        ) : (
          <Plural
            value={waitHours}
            one="It can be used # hour after it was added."
            other="It can be used # hours after it was added."
          />
        )}
      </p>
      <WhyNotAdded problem={adding.error} />
      <div className="mt-4">
        <Button
          submit
          busy={adding.isPending}
          {...(online ? {} : { reason: t`No connection to the server` })}
        >
          <Trans>Add this address</Trans>
        </Button>
      </div>
      <SlideSheet sheet={slide} onProof={(proof) => adding.mutate(proof)} />
    </CheckedForm>
  )
}

function WhyNotAdded({ problem }: { problem: Error | null }) {
  if (problem !== null && !(problem instanceof Refusal))
    return (
      <Notice tone="warn">
        <span role="alert">
          <Trans>No answer came. Add it again: it is the same request, and is written once.</Trans>
        </span>
      </Notice>
    )
  if (problem?.dataOf("invalid_input")?.errors.some(({ reason }) => reason === "full"))
    return (
      <Notice tone="danger">
        <Trans>Your book has as many addresses as it can have. Delete one first.</Trans>
      </Notice>
    )
  return <Problem problem={problem} />
}
