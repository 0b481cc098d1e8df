import "./ui/tokens.css"
import { i18n } from "@lingui/core"
import { I18nProvider } from "@lingui/react"
import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { NoTexts } from "./app/NoTexts.tsx"
import { router } from "./app/router.ts"
import { tellFromBefore } from "./lib/notices.ts"
import { queryClient, startKeeping } from "./lib/queries.ts"
import { startReloadOnLostCode } from "./lib/reload.ts"
import { startTexts } from "./lib/texts.ts"
import { startTheme } from "./lib/theme.ts"
import { startUpdates } from "./lib/update.ts"
import { warm } from "./lib/wire/index.ts"

warm()
startTheme()
let shown = false
startReloadOnLostCode(() => {
  if (!shown) return location.href
  return router.state.status === "pending" ? router.latestLocation.href : null
})
const [haveTexts] = await Promise.all([
  startTexts().then(
    () => true,
    () => false,
  ),
  startKeeping(),
])
tellFromBefore()

const root = document.getElementById("root")
if (!root) throw new Error("index.html has no root")
shown = true
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
)
startUpdates()
