import { useLingui } from "@lingui/react/macro"
import { TextLink } from "./TextLink.tsx"

/** From a picture to the sound in its place, and back. */
export function HeardTurn({ heard, onTurn }: { heard: boolean; onTurn: () => void }) {
  const { t } = useLingui()
  return (
    <p className="text-right">
      <TextLink onPress={onTurn}>{heard ? t`See a picture instead` : t`Hear tones instead`}</TextLink>
    </p>
  )
}
