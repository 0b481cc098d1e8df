import { useLingui } from "@lingui/react/macro"
import { useSetting } from "../lib/useSetting.ts"
import { IconButton } from "./IconButton.tsx"

/** The eye: hides every amount of the member's own, everywhere. */
export function HideToggle() {
  const { t } = useLingui()
  const [hidden, setHidden] = useSetting("hide")
  return (
    <IconButton
      icon={hidden ? "eyeOff" : "eye"}
      size={4}
      label={hidden ? t`Show balances` : t`Hide balances`}
      className="-my-3 -ml-2.5 text-t3"
      onPress={() => setHidden(!hidden)}
    />
  )
}
