import { useSyncExternalStore } from "react"
import { getSettings, onSettings, type Settings, setSettings } from "./settings.ts"

export function useSetting<K extends keyof Settings>(name: K): [Settings[K], (value: Settings[K]) => void] {
  const value = useSyncExternalStore(onSettings, () => getSettings()[name])
  return [value, (next) => setSettings({ [name]: next })]
}
