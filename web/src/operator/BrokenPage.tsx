import type { ErrorComponentProps } from "@tanstack/react-router"
import { useEffect } from "react"
import { useOnline } from "../lib/network.ts"
import { warn } from "../lib/notices.ts"
import { LostCode, reloadOnReturn } from "../lib/reload.ts"
import { Button } from "../ui/Button.tsx"
import { Page } from "./Page.tsx"

/** A page whose code failed or didn't come: says so, and loads it anew. */
export function BrokenPage({ error }: ErrorComponentProps) {
  const online = useOnline()
  const lost = error instanceof LostCode
  useEffect(() => (lost ? reloadOnReturn() : undefined), [lost])
  if (lost && !online)
    return (
      <Page title="No connection" about="The server can't be reached. This page loads by itself once it can.">
        {null}
      </Page>
    )
  return (
    <Page title="This page failed to show" about="What you had sent before stands in the audit log.">
      <div className="max-w-72">
        <Button small onPress={reload}>
          Load it again
        </Button>
      </div>
    </Page>
  )
}

// Without a connection that would leave the browser's own page.
const reload = () => (navigator.onLine ? location.reload() : warn("No connection"))
