import { Trans, useLingui } from "@lingui/react/macro"
import { useEffect } from "react"
import { install, useInstall } from "../lib/install.ts"
import { isZero } from "../lib/money.ts"
import { useSetting } from "../lib/useSetting.ts"
import { countVisit, mayOffer, putAway } from "../lib/visits.ts"
import { Button } from "./Button.tsx"
import { IconButton } from "./IconButton.tsx"

/** The page as an app, offered to who comes back and has something here. `total`: what they have. */
export function InstallOffer({ total }: { total: string | undefined }) {
  const [known] = useSetting("install")
  const state = useInstall()
  const has = total !== undefined && !isZero(total)
  useEffect(() => {
    if (has) countVisit()
  }, [has])
  if (!has || !mayOffer(known, state)) return null
  return <InstallInvitation prompts={state === "offered"} />
}

/** `prompts`: the browser asks by itself; elsewhere the steps are shown in pictures. */
export function InstallInvitation({ prompts }: { prompts: boolean }) {
  const { t } = useLingui()
  return (
    <section className="mt-5 rounded-card bg-s1 p-4">
      <div className="flex items-start gap-3">
        <img src="/icon.svg" alt="" className="size-11 shrink-0 rounded-chip" />
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold">
            <Trans>Kalos as an app</Trans>
          </h2>
          <p className="mt-0.5 text-small text-t2">
            <Trans>Opens from your home screen, without the browser around it.</Trans>
          </p>
        </div>
        <IconButton
          icon="close"
          size={5}
          label={t`Not now`}
          onPress={() => putAway()}
          className="-mt-2.5 -mr-2.5 text-t3"
        />
      </div>
      <div className="mt-3">
        {prompts ? (
          <Button kind="quiet" small icon="save" onPress={() => void install()}>
            <Trans>Install</Trans>
          </Button>
        ) : (
          <Button kind="quiet" small to="/software-download">
            <Trans>See how</Trans>
          </Button>
        )}
      </div>
    </section>
  )
}
