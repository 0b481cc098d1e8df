import { formatDateTime } from "../lib/time.ts"
import { Notice } from "../ui/Notice.tsx"
import { Tag } from "../ui/Tag.tsx"
import { Facts } from "./Facts.tsx"
import { MemberAct } from "./MemberAct.tsx"
import type { Member } from "./shapes.ts"
import { Table } from "./Table.tsx"
import { useHas, useMe } from "./useMe.ts"

const STATES: Record<Member["state"], { name: string; tone: "up" | "warn" | "quiet" }> = {
  open: { name: "Open", tone: "up" },
  frozen_by_owner: { name: "Frozen by its owner", tone: "warn" },
  frozen_by_house: { name: "Frozen by the house", tone: "warn" },
  closed: { name: "Closed", tone: "quiet" },
}

const limit = (amount: string | null) => (amount === null ? "None" : `${amount} USDT`)
const yes = (is: boolean, word: string) => (is ? word : "No")

/** One member's account: what protects it, where it is open, and the house's part in it. */
export function MemberView({ of }: { of: Member }) {
  const may = useHas("support")
  const me = useMe()
  const { name, tone } = STATES[of.state]
  return (
    <>
      <Facts
        of={[
          ["Account", of.account],
          of.email === "" ? null : ["E-mail", of.email],
          [
            "State",
            <Tag key="state" tone={tone}>
              {name}
            </Tag>,
          ],
          of.frozen_at === null ? null : ["Frozen since", formatDateTime(of.frozen_at)],
          ["Registered", formatDateTime(of.registered_at)],
          ["Country", of.country ?? "Not declared"],
          ["Withdrawal password", yes(of.out_password_set, "Set")],
          ["Authenticator", yes(of.google_bound, "Bound")],
          [
            "Withdrawals held until",
            of.withdrawals_held_until === null ? "Not held" : formatDateTime(of.withdrawals_held_until),
          ],
          ["Limits a day: stake", limit(of.limits.stake)],
          ["Loss", limit(of.limits.loss)],
          ["Top-up", limit(of.limits.topup)],
          ["Reminder", of.limits.reminder === null ? "None" : `${of.limits.reminder} minutes`],
        ]}
      />
      <h3 className="mt-6 mb-2 font-semibold">Where it is logged in</h3>
      {of.sessions.length === 0 ? (
        <p className="text-small text-t3">Nowhere.</p>
      ) : (
        <Table
          label="Sessions"
          rows={of.sessions.map((session, index) => ({ ...session, key: String(index) }))}
          keyOf={({ key }) => key}
          columns={[
            { head: "Device", cell: ({ device }) => device || "Unknown" },
            { head: "Network", wide: true, cell: ({ network }) => network },
            { head: "Last used", right: true, cell: ({ last_at }) => formatDateTime(last_at) },
          ]}
        />
      )}
      <h3 className="mt-6 mb-2 font-semibold">Its security log</h3>
      <Table
        label="Security log"
        rows={of.events.map((event, index) => ({ ...event, key: String(index) }))}
        keyOf={({ key }) => key}
        columns={[
          { head: "What", cell: ({ title }) => title },
          { head: "Device", wide: true, cell: ({ device }) => device },
          { head: "Network", wide: true, cell: ({ network }) => network },
          { head: "When", right: true, cell: ({ at }) => formatDateTime(at) },
        ]}
      />
      {of.state === "closed" ? (
        <Notice>This account is closed: nothing can be done with it.</Notice>
      ) : of.account === me?.account ? (
        <Notice>This is your own account: somebody else freezes and opens it.</Notice>
      ) : may ? (
        <MemberAct key={of.state} of={of} />
      ) : (
        <Notice>Support freezes and opens accounts; you can read them.</Notice>
      )}
    </>
  )
}
