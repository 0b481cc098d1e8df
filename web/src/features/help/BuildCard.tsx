import { Trans, useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import { startFiles } from "../../lib/build.ts"
import { VERSION } from "../../lib/version.ts"
import { Card } from "../../ui/Card.tsx"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { Line } from "../../ui/Line.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"

/** Which files this page started from, to compare builds. A copy of the page could show anything here. */
export function BuildCard() {
  const { t } = useLingui()
  const files = useQuery({
    queryKey: ["files of this page's code"],
    queryFn: startFiles,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Card title={<Trans>The files this page started from</Trans>}>
      <Line name={<Trans>Version</Trans>}>{VERSION}</Line>
      <Loaded query={files} skeleton={<Skeleton className="mt-2 h-40 w-full rounded-chip" />}>
        {(list) =>
          list.map(({ name, digest }) => (
            <div key={name} className="mt-1">
              <div className="flex items-center justify-between gap-3">
                <span className="min-w-0 font-mono text-small break-all text-t2">{name}</span>
                <span className="-mr-3">
                  <CopyButton text={digest} label={t`Copy the checksum of ${name}`} />
                </span>
              </div>
              <p
                data-digest={digest}
                className="rounded-chip bg-s2 px-3 py-2 font-mono text-small break-all text-t2"
              >
                {digest}
              </p>
            </div>
          ))
        }
      </Loaded>
      <p className="mt-3 text-small text-t3">
        <Trans>
          Checksums by SHA-256. Build the same version from its source: the files of these names in
          web/dist/assets have the same ones. That helps to compare builds; it doesn't unmask a copy of this
          page, which can show any checksum.
        </Trans>
      </p>
    </Card>
  )
}
