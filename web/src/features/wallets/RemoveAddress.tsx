import { Trans, useLingui } from "@lingui/react/macro"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useForm } from "react-hook-form"
import { call, Refusal } from "../../lib/api.ts"
import { useOnline } from "../../lib/network.ts"
import { notify } from "../../lib/notices.ts"
import { askAnew } from "../../lib/queries.ts"
import { requestIds } from "../../lib/requests.ts"
import { Address } from "../../ui/Address.tsx"
import { Button } from "../../ui/Button.tsx"
import { CheckedForm } from "../../ui/CheckedForm.tsx"
import { Problem } from "../../ui/Problem.tsx"
import { OutPasswordField } from "./OutPasswordField.tsx"
import type { AddressShape } from "./queries.ts"

interface Props {
  row: AddressShape
  network: string
  onDone: () => void
}

/** What deleting means, and the withdrawal password for it. */
export function RemoveAddress({ row: { id, label, address }, network, onDone }: Props) {
  const { t } = useLingui()
  const client = useQueryClient()
  const online = useOnline()
  const [idOf] = useState(requestIds)
  const form = useForm({ shouldFocusError: false, defaultValues: { out_password: "" } })
  const removal = useMutation({
    mutationFn: ({ out_password }: { out_password: string }) =>
      call("/api/user/delWallet", { id, out_password, request_id: idOf({ id }) }, { quiet: true }),
    onSuccess: () => {
      notify(t`Address deleted`)
      onDone()
    },
    onError: (problem) => {
      if (!(problem instanceof Refusal && problem.error === "wrong_out_password")) return
      form.setError("out_password", { message: problem.message }, { shouldFocus: true })
      removal.reset()
    },
    onSettled: () => askAnew(client, "/api/user/info", "/api/user/walletList", "/api/user/securityLog"),
  })
  return (
    <CheckedForm form={form} order={["out_password"]} onSubmit={(fields) => removal.mutate(fields)}>
      <p className="text-title break-words">{label}</p>
      <Address address={address} network={network} />
      <p className="mt-3 text-small text-t2">
        <Trans>
          No withdrawal goes there any more; one that hasn't been sent yet comes back to you. Added again, it
          is as new as any other.
        </Trans>
      </p>
      <OutPasswordField form={form} />
      <div className="mt-5">
        <Problem problem={removal.error} />
        <Button
          submit
          kind="danger"
          busy={removal.isPending}
          {...(online ? {} : { reason: t`No connection to the server` })}
        >
          <Trans>Delete the address</Trans>
        </Button>
      </div>
    </CheckedForm>
  )
}
