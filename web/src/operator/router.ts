import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router"
import { LostPage } from "./LostPage.tsx"
import { Shell } from "./Shell.tsx"

const root = createRootRoute({ component: Shell, notFoundComponent: LostPage })
const page = (path: string, load: Parameters<typeof lazyRouteComponent>[0]) =>
  createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load) })

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

export const router = createRouter({ routeTree: root.addChildren(pages), basepath: "/operator" })
