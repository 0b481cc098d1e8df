import "./lib/early.ts"
import "./ui/members.css"
import { i18n } from "@lingui/core"
import { I18nProvider } from "@lingui/react"
import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { StrictMode, startTransition } from "react"
import { NoTexts } from "./app/NoTexts.tsx"
import { makeRouter } from "./app/router.ts"
import { tellFromBefore } from "./lib/notices.ts"
import { queryClient, startKeeping, takeFirst } from "./lib/queries.ts"
import { startReloadOnLostCode } from "./lib/reload.ts"
import { startTexts } from "./lib/texts.ts"
import { startTheme } from "./lib/theme.ts"
import { turn } from "./lib/turn.ts"
import { startUpdates } from "./lib/update.ts"

startTheme()
/** The way to where the member is going, as long as nothing of it is shown. */
let goingTo = (): string | null => location.href
startReloadOnLostCode(() => goingTo())
void show()

// No `await` at the top: parts that are awaited here come in files that wait for this one.
async function show(): Promise<void> {
  const [haveTexts, { createRoot }] = await Promise.all([
    startTexts().then(
      () => true,
      () => false,
    ),
    drawing(),
    startKeeping(),
  ])
  const router = makeRouter()
  await turn()
  tellFromBefore()
  // Not before the texts: an answer that failed says so in one of them.
  await takeFirst()
  await turn()
  // With the screen's own code, so that the first render has all of it: what came later would be drawn in one go. Where
  // that fails the router tries it again when it is rendered, and shows what is wrong.
  if (haveTexts) await router.load().catch(() => undefined)

  const root = document.getElementById("root")
  if (!root) throw new Error("index.html has no root")
  goingTo = () => (router.state.status === "pending" ? router.latestLocation.href : null)
  // As a transition, React draws the first screen in slices and lets the browser in between.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        {haveTexts ? (
          <I18nProvider i18n={i18n}>
            <QueryClientProvider client={queryClient}>
              <RouterProvider router={router} />
            </QueryClientProvider>
          </I18nProvider>
        ) : (
          <NoTexts />
        )}
      </StrictMode>,
    ),
  )
  const firstScreen = new Promise<void>((done) => {
    const stop = router.subscribe("onRendered", () => {
      stop()
      done()
    })
  })
  startUpdates(haveTexts ? firstScreen : Promise.resolve())
}

/** What draws is half of the code, and has come with the other half; it runs in a task of its own. */
async function drawing() {
  await turn()
  return import("react-dom/client")
}
