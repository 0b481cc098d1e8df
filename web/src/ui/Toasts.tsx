import { useLingui } from "@lingui/react/macro"
import { useEffect, useState } from "react"
import { dismiss, HEARD, type Notice, shownFor, useNotices } from "../lib/notices.ts"
import { Icon } from "./Icon.tsx"
import { Pressable } from "./Pressable.tsx"

/** Short texts over the page. Their words stay in the live region when the eye has seen them. */
export function Toasts() {
  const notices = useNotices()
  return (
    <>
      <div role="status" aria-live="polite" className="sr-only">
        {notices
          .filter(({ tone }) => tone !== "quiet")
          .map(({ id, text }) => (
            <p key={id}>{text}</p>
          ))}
      </div>
      <div className="pointer-events-none fixed top-[calc(5.5rem+env(safe-area-inset-top))] z-60 flex w-full max-w-column flex-col items-center gap-2 px-5">
        {notices.map((notice) => (
          <Toast key={notice.id} notice={notice} />
        ))}
      </div>
    </>
  )
}

/** One text; an error stays while it is pointed at, touched or focused, unless its screen has it as well. */
function Toast({ notice }: { notice: Notice }) {
  const [held, setHeld] = useState(false)
  const [seen, setSeen] = useState(false)
  const stays = notice.tone === "error"
  useEffect(() => {
    if (held) return
    const eye = setTimeout(() => setSeen(true), shownFor(notice))
    const ear = setTimeout(() => dismiss(notice.id), HEARD)
    return () => {
      clearTimeout(eye)
      clearTimeout(ear)
    }
  }, [notice, held])
  if (seen) return null
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: holding it does nothing, it only stays longer
    <div
      onPointerEnter={() => setHeld(stays)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(stays)}
      onBlur={() => setHeld(false)}
      // What is gone in a moment is in nobody's way: a tap reaches what stands under it.
      className={`${stays ? "pointer-events-auto" : ""} max-w-full animate-enter`}
    >
      <ToastCard {...notice} />
    </div>
  )
}

/** How one looks; an error has a way to put it away. */
export function ToastCard({ id, tone, text }: Notice) {
  const { t } = useLingui()
  return (
    <div className="flex min-h-11 items-center gap-2 rounded-control bg-s3 py-2 pr-4 pl-3 text-body">
      <Icon
        name={tone === "done" ? "check" : "warning"}
        size={5}
        className={tone === "done" ? "text-brand-text" : "text-danger"}
      />
      {/* The live region has said it. */}
      <span aria-hidden="true">{text}</span>
      {tone === "error" && (
        <Pressable
          onPress={() => dismiss(id)}
          label={t`Close`}
          className="-my-2 -mr-4 grid size-11 place-items-center text-t3"
        >
          <Icon name="close" size={4} />
        </Pressable>
      )}
    </div>
  )
}
