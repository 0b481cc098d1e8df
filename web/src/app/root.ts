import { createRootRoute, redirect } from "@tanstack/react-router"
import { safeRedirect } from "../lib/redirects.ts"
import { getToken } from "../lib/session.ts"
import { NotFoundPage } from "./NotFoundPage.tsx"
import { OPEN, paths } from "./paths.ts"
import { Shell } from "./Shell.tsx"

/**
 * The guard: without a token every path but log-in and registration leads to log-in, and back afterwards;
 * with one, log-in and registration lead to where their `redirect` says. It tells the shell which token it judged by.
 */
export const rootRoute = createRootRoute({
  component: Shell,
  notFoundComponent: NotFoundPage,
  beforeLoad: ({ location }) => {
    const open = OPEN.has(location.pathname)
    const token = getToken()
    const loggedIn = token !== null
    const { redirect: wanted, freeze } = location.search as { redirect?: unknown; freeze?: unknown }
    // A mail's link freezes the account also for who is logged in.
    if (open && loggedIn && freeze === undefined) {
      throw redirect({ href: safeRedirect(wanted, paths), replace: true })
    }
    if (!open && !loggedIn)
      throw redirect({ to: "/login", search: { redirect: location.href }, replace: true })
    return { token }
  },
})
