import { i18n } from "@lingui/core"
import { I18nProvider } from "@lingui/react"
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  RouterProvider,
} from "@tanstack/react-router"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { expect, test } from "vitest"
import { soon } from "../testing/soon.ts"
import { makeRouter } from "./router.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true, scrollTo: () => undefined })

test.each(["/game", "/node4"])(
  "while the code of %s is on its way, nothing of the screen before stands",
  async (path) => {
    i18n.loadAndActivate({ locale: "en", messages: {} })
    let arrive: (code: { default: () => string }) => void = () => undefined
    const code = new Promise<{ default: () => string }>((done) => {
      arrive = done
    })
    const root = createRootRoute()
    const { defaultPendingMs = 1_000, defaultPendingComponent } = makeRouter().options
    const router = createRouter({
      defaultPendingMs,
      ...(defaultPendingComponent && { defaultPendingComponent }),
      routeTree: root.addChildren([
        createRoute({ getParentRoute: () => root, path: "/", component: () => <p>the old screen</p> }),
        createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(() => code) }),
      ]),
      history: createMemoryHistory({ initialEntries: ["/"] }),
    })
    const place = document.body.appendChild(document.createElement("div"))
    const shown = createRoot(place)
    await router.load()
    await act(async () =>
      shown.render(
        <I18nProvider i18n={i18n}>
          <RouterProvider router={router as never} />
        </I18nProvider>,
      ),
    )
    expect(place.textContent).toBe("the old screen")
    await act(async () => void router.navigate({ to: path }))
    await soon(() => act(async () => expect(place.querySelector("main[aria-busy=true]")).not.toBeNull()))
    // React hides it until it may go.
    expect(place.querySelector("p")?.style.display ?? "none").toBe("none")
    arrive({ default: () => "the new screen" })
    await soon(() => act(async () => expect(place.textContent).toBe("the new screen")))
    await act(async () => shown.unmount())
    place.remove()
  },
)
