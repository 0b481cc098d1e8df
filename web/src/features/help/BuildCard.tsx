import { Trans, useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import { entryDigest } from "../../lib/build.ts"
import { entryName } from "../../lib/details.ts"
import { VERSION } from "../../lib/version.ts"
import { Card } from "../../ui/Card.tsx"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { Line } from "../../ui/Line.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"

/** Which code runs here, to compare with a build from the source. */
export function BuildCard() {
  const { t } = useLingui()
  const digest = useQuery({
    queryKey: ["digest of this page's code"],
    queryFn: entryDigest,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Card title={t`The code that runs here`}>
      <Line name={<Trans>Version</Trans>}>{VERSION}</Line>
      <Line name={<Trans>File</Trans>}>
        <span className="font-mono text-small font-normal break-all">{entryName()}</span>
      </Line>
      <Loaded query={digest} skeleton={<Skeleton className="mt-2 h-20 w-full rounded-chip" />}>
        {(hex) => (
          <>
            <div className="flex items-center justify-between">
              <span className="text-t2">
                <Trans>Checksum (SHA-256)</Trans>
              </span>
              <span className="-mr-3">
                <CopyButton text={hex} label={t`Copy the checksum`} />
              </span>
            </div>
            <p
              data-digest={hex}
              className="rounded-chip bg-s2 px-3 py-2 font-mono text-small break-all text-t2"
            >
              {hex}
            </p>
          </>
        )}
      </Loaded>
      <p className="mt-3 text-small text-t3">
        <Trans>
          Build the same version from its source: the file of this name in web/dist/assets has the same
          checksum.
        </Trans>
      </p>
    </Card>
  )
}
