import { useSearch } from "@tanstack/react-router"
import { Suspense } from "react"
import { SettingsList } from "../features/identity/SettingsList.tsx"
import { view } from "./view.ts"

// Seldom gone to, or long: the notices of third parties.
const VIEWS = {
  licences: view("identity", () => import("../features/identity/Licences.tsx")),
  service: view("support", () => import("../features/support/ServiceView.tsx")),
}

/** /me3: what this device shows, and the way out; or one of its parts. */
export default function SettingsPage() {
  const { view: name } = useSearch({ from: "/me3" })
  if (name === undefined) return <SettingsList />
  const View = VIEWS[name]
  return (
    <Suspense fallback={null}>
      <View />
    </Suspense>
  )
}
