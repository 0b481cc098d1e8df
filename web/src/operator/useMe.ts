import { useGetIdentity } from "@refinedev/core"
import type { Role, Staff } from "./shapes.ts"

/** Who works here; undefined until it is known. */
export const useMe = (): Staff | undefined => useGetIdentity<Staff>().data

/** Whether who works here has one of these roles; the server decides each call again. */
export const useHas = (...roles: readonly Role[]): boolean => {
  const me = useMe()
  return me?.roles.some((role) => roles.includes(role)) ?? false
}
