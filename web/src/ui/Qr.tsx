import { useEffect, useState } from "react"

interface Props {
  text: string
  /** What it leads to, for readers. */
  label: string
}

interface Code {
  text: string
  size: number
  path: string
}

const QUIET = 4

/**
 * A QR code that scans: always dark on white with four quiet modules around, in both themes. Its text stands beside
 * it, for where its code doesn't load.
 */
export function Qr({ text, label }: Props) {
  const [code, setCode] = useState<Code | null>(null)
  useEffect(() => {
    let gone = false
    void import("uqr").then(
      ({ encode }) => {
        const { data, size } = encode(text, { ecc: "M", border: QUIET })
        const path = data
          .flatMap((line, y) => line.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")))
          .join("")
        if (!gone) setCode({ text, size, path })
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
