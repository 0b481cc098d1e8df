/** The console's pages in the order of its menu; `resource` says who sees it. */
export const SECTIONS = [
  { path: "/", resource: "dashboard", name: "Dashboard" },
  { path: "/withdrawals", resource: "withdrawals", name: "Withdrawals" },
  { path: "/deposits", resource: "deposits", name: "Deposits in suspense" },
  { path: "/strays", resource: "strays", name: "Other tokens" },
  { path: "/tickets", resource: "tickets", name: "Customer service" },
  { path: "/members", resource: "members", name: "Members" },
  { path: "/bulletins", resource: "bulletins", name: "Bulletins" },
  { path: "/commands", resource: "commands", name: "Commands" },
  { path: "/settings", resource: "settings", name: "Settings" },
  { path: "/switches", resource: "switches", name: "Country switches" },
  { path: "/audit", resource: "audit", name: "Audit log" },
] as const
