import { formatDateTime } from "../lib/time.ts"
import type { Withdrawal } from "./shapes.ts"

type Review = Withdrawal["reviews"][number]

/** Who has said what of a withdrawal: what counts, and apart from it what was said before it came back. */
export function Reviews({ of }: { of: Withdrawal }) {
  const counting = of.reviews.filter(({ round }) => round === of.round)
  const earlier = of.reviews.filter(({ round }) => round !== of.round)
  return (
    <>
      <h3 className="mt-5 font-semibold">{of.round === 0 ? "Reviews" : `Reviews, round ${of.round + 1}`}</h3>
      {counting.length === 0 && <p className="mt-1 text-small text-t3">Nobody has answered yet.</p>}
      <Said those={counting} current />
      {earlier.length > 0 && (
        <>
          <h4 className="mt-4 text-small font-medium text-t2">Before it came back: these count no longer</h4>
          <Said those={earlier} />
        </>
      )}
    </>
  )
}

function Said({ those, current }: { those: Review[]; current?: boolean }) {
  return those.map(({ staff, verdict, reason, at, round, counts }) => (
    <p key={`${round} ${staff}`} className="mt-2 text-small">
      <strong className="font-medium">{staff}</strong> said {verdict} on {formatDateTime(at)}
      {current && !counts && <span className="block text-t2">No reviewer any more: this doesn't count.</span>}
      {reason !== "" && <span className="block text-t2">{reason}</span>}
    </p>
  ))
}
