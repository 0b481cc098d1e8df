import { i18n } from "@lingui/core"
import { I18nProvider } from "@lingui/react"
import { QueryClientProvider } from "@tanstack/react-query"
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from "@tanstack/react-router"
import { act, type ReactNode } from "react"
import { createRoot } from "react-dom/client"
import { queryClient } from "../lib/queries.ts"

;(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true
// The router goes to the top; this page has no height.
globalThis.scrollTo = () => undefined

export interface Stage {
  /** What stands on it, portals included. */
  readonly text: () => string
  /** The one element with this role and name, as a reader finds it; throws where there isn't exactly one. */
  readonly get: (selector: string, name?: string | RegExp) => HTMLElement
  readonly count: (selector: string) => number
  readonly press: (element: HTMLElement) => Promise<void>
  readonly type: (element: HTMLElement, text: string) => Promise<void>
  readonly router: ReturnType<typeof createRouter>
  readonly leave: () => Promise<void>
}

/** Show a part of the kit in a page with router, texts and queries, as the app does. */
export async function show(node: ReactNode, path = "/"): Promise<Stage> {
  i18n.loadAndActivate({ locale: "en", messages: {} })
  const root = createRootRoute({ component: Outlet })
  const page = createRoute({
    getParentRoute: () => root,
    path: path.split("?")[0] ?? path,
    component: () => node,
  })
  const other = createRoute({ getParentRoute: () => root, path: "/other", component: () => <p>elsewhere</p> })
  const router = createRouter({
    routeTree: root.addChildren([page, other]),
    history: createMemoryHistory({ initialEntries: [path] }),
  })
  await router.load()
  const place = document.body.appendChild(document.createElement("div"))
  const shown = createRoot(place)
  await act(async () =>
    shown.render(
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router as never} />
        </QueryClientProvider>
      </I18nProvider>,
    ),
  )
  const find = (selector: string) => [...document.body.querySelectorAll<HTMLElement>(selector)]
  return {
    text: () => document.body.textContent ?? "",
    get: (selector, name) => {
      const fits = find(selector).filter((one) => name === undefined || matches(nameOf(one), name))
      const [found] = fits
      if (found === undefined || fits.length > 1)
        throw new Error(`${fits.length} of ${selector} ${name ?? ""} in: ${document.body.innerHTML}`)
      return found
    },
    count: (selector) => find(selector).length,
    press: (element) => act(async () => element.click()),
    type: (element, text) =>
      act(async () => {
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), "value")?.set?.call(element, text)
        element.dispatchEvent(new Event("input", { bubbles: true }))
      }),
    router: router as never,
    leave: async () => {
      await act(async () => shown.unmount())
      place.remove()
    },
  }
}

function nameOf(element: HTMLElement): string {
  const label = element.id === "" ? null : document.querySelector(`label[for="${element.id}"]`)
  return (element.getAttribute("aria-label") ?? label?.textContent ?? element.textContent ?? "").trim()
}

const matches = (text: string, name: string | RegExp): boolean =>
  typeof name === "string" ? text === name : name.test(text)
