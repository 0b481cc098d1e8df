import { Disclosure } from "../ui/Disclosure.tsx"
import { Notice } from "../ui/Notice.tsx"
import { PasswordField } from "../ui/PasswordField.tsx"
import type { Staff } from "./shapes.ts"
import { textFrom } from "./textFrom.ts"
import type { useSigned } from "./useSigned.ts"

interface Props {
  message: string
  me: Staff | undefined
  by: ReturnType<typeof useSigned>
}

/** The passphrase that a text is signed with, and the text. */
export function KeyFields({ message, me, by }: Props) {
  return (
    <>
      <PasswordField
        label="Signing passphrase"
        autoComplete="off"
        value={by.passphrase}
        onChange={textFrom(by.setPassphrase)}
        error={by.wrong}
        hint="It stays on this device: only the signature is sent."
      />
      <Disclosure title="What you sign">
        <pre className="overflow-x-auto rounded-chip bg-s2 p-3 font-mono text-small">{message}</pre>
      </Disclosure>
      {me?.public_key === null && <Notice tone="warn">You have no signing key: you can only refuse.</Notice>}
    </>
  )
}
