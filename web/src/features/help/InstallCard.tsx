import { Trans, useLingui } from "@lingui/react/macro"
import { install, useInstall } from "../../lib/install.ts"
import { Button } from "../../ui/Button.tsx"
import { HomePicture, MenuPicture, SharePicture } from "./pictures.tsx"
import { Steps } from "./Steps.tsx"

/** How to get this page as an app, by what the browser can do. */
export function InstallCard() {
  const { t } = useLingui()
  const state = useInstall()
  return (
    <section className="mt-2 rounded-card bg-s1 p-4">
      <div className="flex items-center gap-4">
        <img src="/icon.svg" alt="" className="size-14 shrink-0 rounded-control" />
        <div className="min-w-0 flex-1">
          <h2 className="text-title">Kalos</h2>
          <p className="text-small text-t3">
            {state === "app" ? (
              <Trans>You are in the installed app.</Trans>
            ) : state === "installed" ? (
              <Trans>Installed. Open it from your home screen or your list of apps.</Trans>
            ) : (
              <Trans>This page as an app: no store, nothing to update by hand.</Trans>
            )}
          </p>
        </div>
      </div>
      {state === "app" && (
        <div className="mt-4">
          <Button kind="quiet" to="/home">
            <Trans context="the app">Open</Trans>
          </Button>
        </div>
      )}
      {state === "offered" && (
        <div className="mt-4">
          <Button icon="down" onPress={() => void install()}>
            <Trans>Install</Trans>
          </Button>
        </div>
      )}
      {state === "ios" && (
        <div className="mt-5">
          <Steps
            steps={[
              {
                picture: <SharePicture />,
                title: t`Press Share`,
                text: t`In Safari at the foot of the screen or in its menu, on an iPad at the top.`,
              },
              {
                picture: <MenuPicture />,
                title: t`Choose “Add to Home Screen”`,
                text: t`Scroll the menu up if you don't see it.`,
              },
              {
                picture: <HomePicture />,
                title: t`Press Add`,
                text: t`Kalos now stands among your apps. Log in there once.`,
              },
            ]}
          />
        </div>
      )}
      {state === "menu" && (
        <div className="mt-5">
          <Steps
            steps={[
              {
                picture: <MenuPicture />,
                title: t`Open the browser's menu`,
                text: t`Choose “Install app” or “Add to home screen”. A browser without this entry can't install pages.`,
              },
            ]}
          />
        </div>
      )}
    </section>
  )
}
