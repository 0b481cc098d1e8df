import { renderToStaticMarkup } from "react-dom/server"
import { expect, it } from "vitest"
import { Jobs } from "./Jobs.tsx"
import type { Dashboard } from "./shapes.ts"

const AT = 1_795_075_231_456
const job = {
  name: "mails",
  last_at: AT,
  is_late: false,
  started_at: AT,
  ended_at: AT,
  result: "done",
  error: null,
}
const shown = (more: object) => {
  const html = renderToStaticMarkup(<Jobs of={{ jobs: [{ ...job, ...more }] } as unknown as Dashboard} />)
  return html.slice(html.indexOf("<tbody")).replace(/<[^>]*>/g, "|")
}

it.each([
  ["has ended", {}, /^(?!.*(running|Late|Failed)).*2026.*2026.*On time/],
  ["is under way", { ended_at: AT - 1 }, /2026.*is running.*On time/],
  ["began and never ended", { ended_at: null, result: null, is_late: true }, /is running.*Late/],
  ["failed", { result: "failed", error: "KeyError" }, /KeyError.*Failed/],
  ["waits", { result: "waits", error: "Outage: no node" }, /Outage: no node.*Waits/],
  [
    "has no run of its own",
    { last_at: null, started_at: null, ended_at: null, result: null },
    /—.*—.*On time/,
  ],
])("one that %s says so", (_what, more, text) => expect(shown(more)).toMatch(text))
