import { useLingui } from "@lingui/react/macro"
import { useState } from "react"
import { Field, type FieldProps } from "./Field.tsx"
import { IconButton } from "./IconButton.tsx"

/** A password: masked, with the way to see it. Pasting and password managers are welcome. */
export function PasswordField(props: Omit<FieldProps, "type" | "trailing">) {
  const { t } = useLingui()
  const [shown, setShown] = useState(false)
  return (
    <Field
      {...props}
      type={shown ? "text" : "password"}
      autoCapitalize="none"
      spellCheck={false}
      trailing={
        <IconButton
          icon={shown ? "eyeOff" : "eye"}
          size={5}
          label={shown ? t`Hide the password` : t`Show the password`}
          pressed={shown}
          onPress={() => setShown(!shown)}
        />
      }
    />
  )
}
