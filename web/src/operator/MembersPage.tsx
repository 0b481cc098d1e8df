import { useState } from "react"
import { Refusal } from "../lib/api.ts"
import { Empty } from "../ui/Empty.tsx"
import { Failed } from "../ui/Failed.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { MemberView } from "./MemberView.tsx"
import { Page } from "./Page.tsx"
import { Panel } from "./Panel.tsx"
import type { Member } from "./shapes.ts"
import { useAsked } from "./useAsked.ts"

const WHOLE = /^\d{8}$|^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** /operator/members: one account at a time, found by exactly its number or address. */
export default function MembersPage() {
  const [sought, setSought] = useState("")
  const name = sought.trim()
  return (
    <Page title="Members" about="Whose account it is, what protects it; freezing and opening it">
      <Panel title="Find a member">
        <div className="mb-3 max-w-96">
          <SearchField label="Whole account number or e-mail" value={sought} onChange={setSought} />
        </div>
        {WHOLE.test(name) ? (
          <Found key={name} name={name} />
        ) : (
          <Empty text="Type the eight digits of an account, or the whole e-mail address." action={null} />
        )}
      </Panel>
    </Page>
  )
}

function Found({ name }: { name: string }) {
  const { data, problem, again } = useAsked<Member>("member", { about: { name } })
  if (problem instanceof Refusal && problem.error === "not_found")
    return <Empty text="No account has this number or address." action={null} />
  if (data === undefined)
    return problem ? <Failed problem={problem} onRetry={again} /> : <Skeleton lines={6} />
  return <MemberView of={data} />
}
