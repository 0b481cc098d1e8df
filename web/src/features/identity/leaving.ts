import { useRouter } from "@tanstack/react-router"
import { useEffect } from "react"
import { safeRedirect } from "../../lib/redirects.ts"
import { useToken } from "../../lib/session.ts"

/** Whoever is logged in (now, or in another tab) goes on to where they wanted. */
export function useLeaveWhenLoggedIn(wanted: string | undefined): void {
  const token = useToken()
  const router = useRouter()
  useEffect(() => {
    if (token === null) return
    const known = new Set(Object.keys(router.routesByPath))
    router.history.replace(safeRedirect(wanted, known))
  }, [token, wanted, router])
}
