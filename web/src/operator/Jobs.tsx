import { Tag } from "../ui/Tag.tsx"
import { Panel } from "./Panel.tsx"
import type { Dashboard } from "./shapes.ts"
import { Table } from "./Table.tsx"
import { When } from "./When.tsx"
import { nameOf } from "./words.ts"

type Job = Dashboard["jobs"][number]

/** What runs by itself: when each job last began and ended, what came of it, and whether it keeps up. */
export function Jobs({ of }: { of: Dashboard }) {
  return (
    <Panel title="Jobs" note="the last run of each, a few seconds old">
      <Table
        label="Jobs"
        rows={of.jobs}
        keyOf={({ name }) => name}
        columns={[
          {
            head: "Job",
            cell: ({ name, error }) => (
              <>
                {nameOf(name)}
                {error !== null && (
                  <span className="block text-small break-words whitespace-normal text-t3">{error}</span>
                )}
              </>
            ),
          },
          { head: "Began", right: true, wide: true, cell: ({ started_at }) => <Moment at={started_at} /> },
          { head: "Ended", right: true, cell: (job) => <Ended of={job} /> },
          {
            head: "State",
            right: true,
            cell: (job) => <Tag tone={toneOf(job)}>{stateOf(job)}</Tag>,
          },
        ]}
      />
    </Panel>
  )
}

function Moment({ at }: { at: number | null }) {
  return at === null ? "—" : <When at={at} />
}

/** One that is under way has ended its run before; some have a last time and no run of their own. */
function Ended({ of: { started_at, ended_at, last_at } }: { of: Job }) {
  if (started_at !== null && (ended_at === null || ended_at < started_at)) return "is running"
  return <Moment at={ended_at ?? last_at} />
}

function stateOf({ is_late, result }: Job): string {
  if (result === "failed") return "Failed"
  if (result === "waits") return "Waits"
  return is_late ? "Late" : "On time"
}

const toneOf = ({ is_late, result }: Job) =>
  result === "failed" ? "down" : result === "waits" || is_late ? "warn" : "quiet"
