import { Trans } from "@lingui/react/macro"
import { install, useInstall } from "../../lib/install.ts"
import { TextLink } from "../../ui/TextLink.tsx"

/** Where the browser offers it: this page as an app, before anybody logs in. */
export function InstallHint() {
  const state = useInstall()
  if (state !== "offered") return null
  return (
    <p className="mt-2 text-center text-t3">
      <Trans>
        On this device often? <TextLink onPress={() => void install()}>Install the app</TextLink>
      </Trans>
    </p>
  )
}
