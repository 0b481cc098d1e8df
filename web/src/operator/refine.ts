import type { AccessControlProvider, AuthProvider, BaseRecord, DataProvider } from "@refinedev/core"
import { QueryClient } from "@tanstack/react-query"
import { askingAgain } from "../lib/askingAgain.ts"
import { ask, hasSessionEnded } from "./ask.ts"
import { getStaffToken, keepDevice, knownDevice, setStaffToken } from "./session.ts"
import type { LoggedIn, Role, Staff } from "./shapes.ts"

const PAGE_SIZE = 20
/** A line that swallows what is sent says so after a minute only. */
const LOGOUT_PATIENCE = 3000

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { ...askingAgain.queries, staleTime: 5_000 },
    mutations: askingAgain.mutations,
  },
})

export const authProvider: AuthProvider = {
  async login(fields: { name: string; password: string; code: string }) {
    try {
      const { token, device } = await ask<LoggedIn>("login", { ...fields, ...knownDevice() })
      queryClient.clear()
      keepDevice(device)
      setStaffToken(token)
      return { success: true }
    } catch (error) {
      return { success: false, error: error as Error }
    }
  },
  async logout() {
    // Without an answer the session ends by itself; on this device it has ended in any case.
    const told = getStaffToken() === null ? null : ask("logout").catch(() => null)
    await Promise.race([told, new Promise((done) => setTimeout(done, LOGOUT_PATIENCE))])
    setStaffToken(null)
    queryClient.clear()
    return { success: true }
  },
  check: async () => ({ authenticated: getStaffToken() !== null }),
  async onError(error: Error) {
    if (hasSessionEnded(error)) setStaffToken(null)
    return {}
  },
  getIdentity: () => whoIsHere(),
}

const whoIsHere = () => queryClient.ensureQueryData({ queryKey: ["me"], queryFn: () => ask<Staff>("me") })

interface Rows {
  list: BaseRecord[]
  next: string | null
}

const unsupported = () => Promise.reject(new Error("the console changes nothing but by its calls"))

/** Lists are the calls' own key-set pages; all else goes by the call's name. */
export const dataProvider: DataProvider = {
  getList: async ({ resource, pagination, meta }) => {
    const after: unknown = pagination?.currentPage
    const { list, next } = await ask<Rows>(resource, {
      ...meta?.filter,
      size: PAGE_SIZE,
      ...(typeof after === "string" ? { after } : {}),
    })
    return { data: list as never[], total: list.length, ...(next === null ? {} : { cursor: { next } }) }
  },
  custom: async ({ url, payload }) => ({ data: await ask(url, payload ?? {}) }),
  getApiUrl: () => "/api/operator",
  getOne: unsupported,
  create: unsupported,
  update: unsupported,
  deleteOne: unsupported,
}

/** Who sees which part. The server decides each call again. */
const READERS: Record<string, readonly Role[]> = {
  dashboard: ["support", "reviewer", "treasurer", "content", "auditor", "owner"],
  withdrawals: ["support", "reviewer", "treasurer", "auditor", "owner"],
  deposits: ["support", "reviewer", "treasurer", "auditor", "owner"],
  strays: ["support", "reviewer", "treasurer", "auditor", "owner"],
  bulletins: ["content", "auditor", "owner"],
  tickets: ["support", "auditor", "owner"],
  members: ["support", "auditor", "owner"],
  commands: ["reviewer", "treasurer", "auditor", "owner"],
  settings: ["treasurer", "auditor", "owner"],
  switches: ["treasurer", "auditor", "owner"],
  audit: ["auditor", "owner"],
}

export const accessControlProvider: AccessControlProvider = {
  async can({ resource = "" }) {
    const staff = await whoIsHere()
    const allowed = READERS[resource] ?? []
    return { can: allowed.some((role) => staff.roles.includes(role)) }
  },
}
