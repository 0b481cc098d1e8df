import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router"
import type { ComponentType } from "react"
import { LostCode } from "../lib/reload.ts"
import { BrokenPage } from "./BrokenPage.tsx"
import { LostPage } from "./LostPage.tsx"
import { PendingPage } from "./PendingPage.tsx"
import { Shell } from "./Shell.tsx"

const root = createRootRoute({ component: Shell, notFoundComponent: LostPage })
type Module = Record<string, ComponentType>

const page = (path: string, load: () => Promise<Module>) => {
  const component = lazyRouteComponent(() =>
    load().catch((cause: unknown) => {
      // Under its own name the router would reload the page, which without a connection leaves nothing of it.
      throw new LostCode(path, { cause })
    }),
  )
  return createRoute({ getParentRoute: () => root, path, component })
}

const pages = [
  page("/", () => import("./DashboardPage.tsx")),
  page("/withdrawals", () => import("./WithdrawalsPage.tsx")),
  page("/deposits", () => import("./DepositsPage.tsx")),
  page("/strays", () => import("./StraysPage.tsx")),
  page("/tickets", () => import("./TicketsPage.tsx")),
  page("/members", () => import("./MembersPage.tsx")),
  page("/bulletins", () => import("./BulletinsPage.tsx")),
  page("/commands", () => import("./CommandsPage.tsx")),
  page("/settings", () => import("./SettingsPage.tsx")),
  page("/switches", () => import("./SwitchesPage.tsx")),
  page("/account", () => import("./AccountPage.tsx")),
  page("/audit", () => import("./AuditPage.tsx")),
]

export const router = createRouter({
  routeTree: root.addChildren(pages),
  basepath: "/operator",
  defaultPendingMs: 400,
  defaultErrorComponent: BrokenPage,
  defaultPendingComponent: PendingPage,
})
