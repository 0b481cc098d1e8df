/** What the console's calls answer. */
export type {
  AuditRowShape as AuditRow,
  CommandShape as Command,
  DeskBulletin as Bulletin,
  DeskDashboard as Dashboard,
  DeskDeposit as Deposit,
  DeskMember as Member,
  DeskMessage as Message,
  DeskResults as Results,
  DeskStray as Stray,
  DeskThread as Thread,
  DeskTicket as Ticket,
  DeskWithdrawal as Withdrawal,
  NewAuthenticatorAnswer as NewAuthenticator,
  PreviewAnswer as Preview,
  PriceRow as Price,
  SettingRow as Setting,
  SettingsAnswer as Settings,
  StaffLoginAnswer as LoggedIn,
  StaffShape as Staff,
  SwitchRow as Switch,
} from "../lib/api.gen.ts"

import type { StaffShape } from "../lib/api.gen.ts"

export type Role = StaffShape["roles"][number]
