import { useLingui } from "@lingui/react/macro"
import { useEffect, useState } from "react"
import { dismiss, type Notice, shownFor, useNotices } from "../lib/notices.ts"
import { Icon } from "./Icon.tsx"
import { Pressable } from "./Pressable.tsx"

/** Short texts over the page; readers hear them through the live region. */
export function Toasts() {
  const notices = useNotices()
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed top-[calc(5.5rem+env(safe-area-inset-top))] z-50 flex w-full max-w-column flex-col items-center gap-2 px-5"
    >
      {notices.map((notice) => (
        <Toast key={notice.id} notice={notice} />
      ))}
    </div>
  )
}

function Toast({ notice }: { notice: Notice }) {
  const { t } = useLingui()
  const [paused, setPaused] = useState(false)
  useEffect(() => {
    if (paused) return
    const timer = setTimeout(() => dismiss(notice.id), shownFor(notice))
    return () => clearTimeout(timer)
  }, [notice, paused])
  const error = notice.tone === "error"
  return (
    <div
      onPointerEnter={() => setPaused(error)}
      onPointerLeave={() => setPaused(false)}
      className="pointer-events-auto flex max-w-full animate-enter items-center gap-2 rounded-control bg-s3 py-2 pr-4 pl-3 text-body text-t1"
    >
      <Icon
        name={error ? "warning" : "check"}
        size={5}
        className={error ? "text-danger" : "text-brand-text"}
      />
      <span>{notice.text}</span>
      {error && (
        <Pressable
          onPress={() => dismiss(notice.id)}
          label={t`Close`}
          className="-mr-2 grid size-8 place-items-center text-t3"
        >
          <Icon name="close" size={4} />
        </Pressable>
      )}
    </div>
  )
}
