import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router"
import type { ComponentType } from "react"
import { validateBulletin, validateBulletins } from "../features/content/search.ts"
import { validateTopUp } from "../features/deposits/search.ts"
import { validateRoom } from "../features/games/search.ts"
import { validateHelp } from "../features/help/search.ts"
import { validateLogin, validateRegister, validateSettings } from "../features/identity/search.ts"
import { validateAssets, validateCoin } from "../features/overview/search.ts"
import { validateSecurity } from "../features/security/search.ts"
import { validateTeam } from "../features/teams/search.ts"
import { validateBook } from "../features/wallets/search.ts"
import { validateWithdraw } from "../features/withdrawals/search.ts"
import { LostCode } from "../lib/reload.ts"
import { loadTextsOf } from "../lib/texts.ts"
import { UNBUILT } from "../lib/unbuilt.ts"
import { paths } from "./paths.ts"
import { rootRoute } from "./root.ts"

type Search = Record<string, unknown>
type Module = { default: ComponentType }

/** One screen: its code and its texts are loaded when it is first gone to. */
function page<P extends string, S extends object = object>(
  path: P,
  feature: string,
  load: () => Promise<Module>,
  validate?: (search: Search) => S,
) {
  paths.add(path)
  const component = lazyRouteComponent(async () => {
    try {
      const [module] = await Promise.all([load(), loadTextsOf(feature)])
      return module
    } catch (cause) {
      // Under its own name the router would reload the page, which without a connection leaves nothing of it.
      throw new LostCode(path, { cause })
    }
  })
  return createRoute({
    getParentRoute: () => rootRoute,
    path,
    component,
    validateSearch: (search: Search): S => ({ ...nothingOf(search), ...validate?.(search) }) as S,
  })
}

/** Every word of the address as absent: the router gives a screen what its validation left out, as the address has it. */
const nothingOf = (search: Search): Search =>
  Object.fromEntries(Object.keys(search).map((name) => [name, undefined]))

const notBuilt = () => import("./NotBuiltPage.tsx")

const start = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/home", replace: true })
  },
})

const built = [
  page("/login", "identity", () => import("../features/identity/LoginPage.tsx"), validateLogin),
  page("/register", "identity", () => import("../features/identity/RegisterPage.tsx"), validateRegister),
  page("/me", "identity", () => import("../features/identity/MePage.tsx")),
  page("/me1", "security", () => import("./SecurityPage.tsx"), validateSecurity),
  page("/me3", "identity", () => import("./SettingsPage.tsx"), validateSettings),
  page("/address3", "wallets", () => import("../features/wallets/BookPage.tsx"), validateBook),
  page("/invite", "teams", () => import("../features/teams/InvitePage.tsx")),
  page("/invite1", "teams", () => import("../features/teams/TeamPage.tsx"), validateTeam),
  page("/home", "overview", () => import("../features/overview/HomePage.tsx")),
  page("/node", "overview", () => import("../features/overview/AssetsPage.tsx"), validateAssets),
  page("/node1", "overview", () => import("../features/overview/CoinPage.tsx"), validateCoin),
  page("/node3", "deposits", () => import("../features/deposits/TopUpPage.tsx"), validateTopUp),
  page("/node4", "withdrawals", () => import("../features/withdrawals/WithdrawPage.tsx"), validateWithdraw),
  page("/game", "games", () => import("../features/games/HallPage.tsx")),
  page("/game1", "games", () => import("../features/games/RoomPage.tsx"), validateRoom),
  page("/help", "help", () => import("../features/help/HelpPage.tsx"), validateHelp),
  page("/wallet-register", "help", () => import("../features/help/WalletsPage.tsx")),
  page("/software-download", "help", () => import("../features/help/ToolsPage.tsx")),
  page("/bulletin", "content", () => import("../features/content/BulletinsPage.tsx"), validateBulletins),
  page("/bulletin-detail", "content", () => import("../features/content/BulletinPage.tsx"), validateBulletin),
] as const

// Beside the 72, in development and in a build of its own for its test: the condition keeps it out of the product.
const gallery =
  import.meta.env.DEV || import.meta.env.MODE === "gallery"
    ? [page("/gallery", "", () => import("../gallery/GalleryPage.tsx"))]
    : []
const unbuilt = UNBUILT.map((path) => page(path, "", notBuilt))

export const routeTree = rootRoute.addChildren([start, ...built, ...unbuilt, ...gallery])
