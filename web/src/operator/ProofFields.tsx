import { Field } from "../ui/Field.tsx"
import { PasswordField } from "../ui/PasswordField.tsx"
import { textFrom } from "./textFrom.ts"

export interface Proof {
  password: string
  code: string
}

export const NO_PROOF: Proof = { password: "", code: "" }

/** As it is sent: the code without the blanks that some authenticators show. */
export const proofOf = ({ password, code }: Proof): Proof => ({ password, code: code.replaceAll(" ", "") })

interface Props {
  value: Proof
  onChange: (proof: Proof) => void
  /** Whether it was sent already: what is missing is said then. */
  tried: boolean
}

/** What every renewal asks for: the password and the authenticator's code that count until now. */
export function ProofFields({ value, onChange, tried }: Props) {
  return (
    <>
      <PasswordField
        label="Present password"
        autoComplete="current-password"
        value={value.password}
        onChange={textFrom((password) => onChange({ ...value, password }))}
        error={tried && value.password === "" && "Enter your present password"}
      />
      <Field
        label="Authenticator code"
        inputMode="numeric"
        autoComplete="one-time-code"
        value={value.code}
        onChange={textFrom((code) => onChange({ ...value, code }))}
        error={tried && value.code.trim() === "" && "Enter the six digits that your authenticator shows"}
      />
    </>
  )
}

export const isWhole = ({ password, code }: Proof): boolean => password !== "" && code.trim() !== ""
