import type { ResolveModulePreloadDependenciesFn, Rolldown } from "vite"

/** What opens the channel and asks first, see there. */
export const EARLY = /\/src\/lib\/early\.ts$/
const LOGIN = /\/LoginPage\.tsx$/
const REGISTER = /\/RegisterPage\.tsx$/
const HOME = /\/HomePage\.tsx$/
const REST = /\/HomeRest\.tsx$/
/** The library's index names them to everybody; the doors have no list. */
const LISTS = /\/(useInfiniteQuery|infiniteQueryObserver)\.js$/

/**
 * Which file a module comes in, so that a first screen needs a handful of files instead of forty small ones, each of
 * which would cost a slow line a turn: what log-in shares with registration or with the screens inside, what of the rest
 * registration shares, and what the home screen shares: at once, and once it stands. A screen's own code, and what comes only on demand, stay
 * files of their own.
 */
function fileOf(id: string, context: Rolldown.ChunkingContext): string | null {
  if (LISTS.test(id)) return "home"
  const users = [...usersOf(id, context)]
  if (users.length < 2) return null
  const home = users.some((user) => HOME.test(user))
  if (users.some((user) => LOGIN.test(user))) return "base"
  if (users.some((user) => REGISTER.test(user))) return home ? "base" : "joining"
  if (home) return "home"
  return users.some((user) => REST.test(user)) ? "inside" : null
}

/** What is loaded on demand, screens among it, and needs this module before it can run. */
function usersOf(
  id: string,
  context: Rolldown.ChunkingContext,
  seen = new Set<string>(),
  found = new Set<string>(),
): Set<string> {
  if (seen.has(id)) return found
  seen.add(id)
  const info = context.getModuleInfo(id)
  if (info === null) return found
  if (info.dynamicImporters.length > 0) found.add(id)
  for (const importer of info.importers) usersOf(importer, context, seen, found)
  return found
}

/** The files of a build, each module in the first of them that takes it. */
export const FILES: Rolldown.CodeSplittingGroup[] = [
  // With what it needs, and nothing of the shell: it runs before that has come.
  { name: "early", test: EARLY, priority: 6 },
  // What home's sketch is filled with; a door needs none of it.
  { name: "sketch", test: /\/src\/lib\/(sketch|notation)\.ts$/, priority: 5 },
  // Two halves of what starts the page come sooner than the whole, and most deploys leave this one as it is.
  { name: "drawing", test: /\/node_modules\/(react|react-dom|scheduler)\//, priority: 5 },
  { name: "shell", tags: ["$initial"], priority: 4 },
  // Forms stand at the doors, in parts of them too that come later, and not on the first screen inside.
  { name: "forms", test: /\/node_modules\/react-hook-form\//, priority: 3 },
  // The router's index names it to everybody; the one screen that is left with a question needs it.
  { name: "leaving", test: /\/react-router\/dist\/esm\/useBlocker\.js$/, priority: 3 },
  { name: "kept", test: /\/src\/lib\/(kept|keptRecord|store)\.ts$/, priority: 3 },
  { name: fileOf, priority: 2 },
]

/**
 * What is fetched beside a file that is loaded on demand, instead of once that has come: only after a log-in. A page is
 * told by the server, and the worker soon has all of them; to name every file's would cost each first load a kilobyte.
 */
export const beside: ResolveModulePreloadDependenciesFn = (file, needed, { hostType }) =>
  hostType === "html" || /\/HomePage-/.test(file) ? needed : []
