import { type ReactNode, startTransition, useEffect, useRef, useState } from "react"

/** How far below the window's edge it may be. */
const NEAR = "200px"

interface Props {
  /** Stands in its place before. */
  fallback: ReactNode
  children: ReactNode
}

/** Draws its content when it comes near the window: what nobody scrolls to asks for nothing. */
export function Near({ fallback, children }: Props) {
  const [near, setNear] = useState(typeof IntersectionObserver === "undefined")
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (near || place.current === null) return
    const observer = new IntersectionObserver(
      (entries) =>
        entries.some(({ isIntersecting }) => isIntersecting) && startTransition(() => setNear(true)),
      { rootMargin: NEAR },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [near])
  return near ? children : <div ref={place}>{fallback}</div>
}
