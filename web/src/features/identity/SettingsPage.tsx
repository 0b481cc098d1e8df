import { useSearch } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { SettingsList } from "./SettingsList.tsx"

// The notices are long and seldom read.
const Licences = lazy(() => import("./Licences.tsx"))

/** /me3: what this device shows, and the way out; or the notices of third parties. */
export default function SettingsPage() {
  const { view } = useSearch({ from: "/me3" })
  if (view === undefined) return <SettingsList />
  return (
    <Suspense fallback={null}>
      <Licences />
    </Suspense>
  )
}
