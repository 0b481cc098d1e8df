import { useLingui } from "@lingui/react/macro"
import { lazy, Suspense } from "react"
import { Sheet, useSheet } from "../../ui/Sheet.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"

// Behind a press, on screens that must be there at once.
const LanguageList = lazy(() => import("./LanguageList.tsx"))

export const useLanguageSheet = () => useSheet("language")

/** Where the page's language is chosen. */
export function LanguageSheet({ sheet }: { sheet: ReturnType<typeof useLanguageSheet> }) {
  const { t } = useLingui()
  return (
    <Sheet sheet={sheet} title={t`Language`}>
      <Suspense fallback={<Skeleton className="h-98 w-full" />}>
        <LanguageList onChosen={sheet.hide} />
      </Suspense>
    </Sheet>
  )
}
