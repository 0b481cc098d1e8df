import { useLingui } from "@lingui/react/macro"
import { lazy, Suspense, useState } from "react"
import { Sheet, useSheet } from "./Sheet.tsx"
import { Skeleton } from "./Skeleton.tsx"

// Only who is asked for it loads it.
const SlideCheck = lazy(() => import("./SlideCheck.tsx"))

/** The sheet of a slide. It shows only what was asked for here: after a reload nothing is left that it would send. */
export function useSlideSheet() {
  const [asked, setAsked] = useState(false)
  const sheet = useSheet("slide", asked)
  const show = () => {
    setAsked(true)
    sheet.show()
  }
  return { ...sheet, shown: sheet.shown && asked, show }
}

interface Props {
  sheet: ReturnType<typeof useSheet>
  /** With what allows one call that asks for a slide; the sheet has gone by then. */
  onProof: (proof: string) => void
}

/** The slide verification over the page that needs it. */
export function SlideSheet({ sheet, onProof }: Props) {
  const { t } = useLingui()
  return (
    <Sheet sheet={sheet} title={t`Slide verification`}>
      {sheet.shown && (
        <Suspense fallback={<Skeleton className="aspect-[2/1] w-full rounded-card" />}>
          <SlideCheck
            onProof={(proof) => {
              sheet.hide()
              onProof(proof)
            }}
          />
        </Suspense>
      )}
    </Sheet>
  )
}
