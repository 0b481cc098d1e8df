import type { View } from "../features/security/search.ts"
import { view } from "./view.ts"

/** The parts of /me1 that this build has, by their name in the address; each is a full page with `back="/me1"`. */
export const SECURITY_VIEWS: Partial<Record<View, ReturnType<typeof view>>> = {
  login: view("security", () => import("../features/security/PasswordView.tsx")),
  email: view("security", () => import("../features/security/EmailView.tsx")),
  close: view("security", () => import("../features/security/CloseView.tsx")),
  withdraw: view("factors", () => import("../features/factors/WithdrawView.tsx")),
  google: view("factors", () => import("../features/factors/GoogleView.tsx")),
  sessions: view("security", () => import("../features/security/SessionsView.tsx")),
  log: view("security", () => import("../features/security/LogView.tsx")),
  word: view("security", () => import("../features/security/WordView.tsx")),
  limits: view("protection", () => import("../features/protection/LimitsPage.tsx")),
  wallet: view("wallets", () => import("../features/wallets/LoginWalletsView.tsx")),
}
