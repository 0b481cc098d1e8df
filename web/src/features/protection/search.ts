/** /me1: the play limits, which are the one view of it that is built. */
export function validateSecurity(_: Record<string, unknown>): { view: "limits" } {
  return { view: "limits" }
}
