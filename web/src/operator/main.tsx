import "../ui/operator.css"
import { i18n } from "@lingui/core"
import { I18nProvider } from "@lingui/react"
import { Refine } from "@refinedev/core"
import { RouterProvider } from "@tanstack/react-router"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { startReloadOnLostCode } from "../lib/reload.ts"
import { startTheme } from "../lib/theme.ts"
import { warm } from "../lib/wire/index.ts"
import { messages } from "../locales/en.po"
import { LoginPage } from "./LoginPage.tsx"
import { accessControlProvider, authProvider, dataProvider, queryClient } from "./refine.ts"
import { router } from "./router.ts"
import { useStaffToken } from "./session.ts"

warm()
startTheme()
startReloadOnLostCode(() => (router.state.status === "pending" ? router.latestLocation.publicHref : null))
// The console is in English; of the kit's few texts it has the members' page's.
i18n.loadAndActivate({ locale: "en", messages })

const element = document.getElementById("root")
if (!element) throw new Error("operator.html has no root")
createRoot(element).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <Refine
        authProvider={authProvider}
        dataProvider={dataProvider}
        accessControlProvider={accessControlProvider}
        options={{ disableTelemetry: true, reactQuery: { clientConfig: queryClient } }}
      >
        <Console />
      </Refine>
    </I18nProvider>
  </StrictMode>,
)

function Console() {
  return useStaffToken() === null ? <LoginPage /> : <RouterProvider router={router as never} />
}
