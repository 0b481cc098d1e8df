import { createRootRoute, redirect } from "@tanstack/react-router"
import { getToken } from "../lib/session.ts"
import { NotFoundPage } from "./NotFoundPage.tsx"
import { Shell } from "./Shell.tsx"

const OPEN = new Set(["/login", "/register", "/gallery"])

/** The guard: without a token every path but log-in and registration leads to log-in, and back afterwards. */
export const rootRoute = createRootRoute({
  component: Shell,
  notFoundComponent: NotFoundPage,
  beforeLoad: ({ location }) => {
    if (OPEN.has(location.pathname) || getToken() !== null) return
    throw redirect({ to: "/login", search: { redirect: location.href }, replace: true })
  },
})
