import { useEffect, useState } from "react"
import { type QrCode, qrOf } from "./qrCode.ts"

interface Props {
  text: string
  /** What it leads to, for readers. */
  label: string
}

/**
 * A QR code that scans: always dark on white with four quiet modules around, in both themes. Its text stands beside
 * it, for where its code doesn't load.
 */
export function Qr({ text, label }: Props) {
  const [code, setCode] = useState<(QrCode & { text: string }) | null>(null)
  useEffect(() => {
    let gone = false
    void qrOf(text).then(
      (made) => {
        if (!gone) setCode({ text, ...made })
      },
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [text])
  // A code of another text must never be seen, not for one frame.
  const ready = code !== null && code.text === text
  return (
    <div className="mx-auto aspect-square w-full max-w-56 rounded-control bg-white p-1">
      {ready && (
        <svg
          viewBox={`0 0 ${code.size} ${code.size}`}
          role="img"
          aria-label={label}
          shapeRendering="crispEdges"
          className="text-ink"
        >
          <path d={code.path} fill="currentColor" />
        </svg>
      )}
    </div>
  )
}
