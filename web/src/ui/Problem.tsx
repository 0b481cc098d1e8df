import { Trans } from "@lingui/react/macro"
import { mendOf } from "../lib/mending.ts"
import { reasonOf } from "../lib/reasons.ts"
import { TextLink } from "./TextLink.tsx"

/** Why it was refused, beside the button that sent it, and the way to what mends it. */
export function Problem({ problem }: { problem: Error | null }) {
  if (problem === null) return null
  const mend = mendOf(problem)
  return (
    <p role="alert" className="mb-2 text-center text-small text-danger">
      {reasonOf(problem)}
      {mend && (
        <>
          {" "}
          <TextLink {...mend}>
            <Trans>Fix this</Trans>
          </TextLink>
        </>
      )}
    </p>
  )
}
