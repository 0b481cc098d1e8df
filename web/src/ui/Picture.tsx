import { useLingui } from "@lingui/react/macro"
import { lazy, Suspense, useEffect, useId, useState } from "react"
import { Pressable } from "./Pressable.tsx"
import { useSheet } from "./Sheet.tsx"

export interface PictureProps {
  src: string
  /** What it shows; "" where it only decorates. */
  alt: string
  width: number
  height: number
}

const Viewer = lazy(() => import("./PictureViewer.tsx"))

/** A picture as wide as its text; a press shows it alone, to look at closely. */
export function Picture(picture: PictureProps) {
  const { t } = useLingui()
  const sheet = useSheet(`picture ${useId()}`)
  const [wanted, setWanted] = useState(sheet.shown)
  useEffect(() => {
    if (sheet.shown) setWanted(true)
  }, [sheet.shown])
  const { alt } = picture
  return (
    <>
      <Pressable
        onPress={sheet.show}
        label={alt === "" ? t`Enlarge the picture` : t`Enlarge the picture: ${alt}`}
        className="block w-full rounded-control"
      >
        <img {...picture} alt={alt} loading="lazy" className="h-auto w-full rounded-control bg-s1" />
      </Pressable>
      <Suspense>{wanted && <Viewer {...picture} sheet={sheet} />}</Suspense>
    </>
  )
}
