import { type ComponentType, lazy } from "react"
import type { View } from "../features/security/search.ts"
import { loadTextsOf } from "../lib/texts.ts"

type Module = { default: ComponentType }

/** A part of /me1: its code and its feature's texts are loaded when it is first gone to. */
function view(feature: string, load: () => Promise<Module>) {
  return lazy(async () => {
    const [module] = await Promise.all([load(), loadTextsOf(feature)])
    return module
  })
}

/** The parts of /me1 that this build has, by their name in the address; each is a full page with `back="/me1"`. */
export const SECURITY_VIEWS: Partial<Record<View, ReturnType<typeof view>>> = {
  sessions: view("security", () => import("../features/security/SessionsView.tsx")),
  log: view("security", () => import("../features/security/LogView.tsx")),
  word: view("security", () => import("../features/security/WordView.tsx")),
  limits: view("protection", () => import("../features/protection/LimitsPage.tsx")),
}
