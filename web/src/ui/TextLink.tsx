import type { ReactNode } from "react"
import { Pressable, type Target } from "./Pressable.tsx"

/** A link in a sentence: to the finger 44 px tall, in its line only 24. */
export function TextLink({ children, ...target }: Target & { children: ReactNode }) {
  return (
    <Pressable
      {...target}
      className="-my-2.5 inline-flex min-h-11 items-center font-medium text-brand-text active:opacity-70"
    >
      {children}
    </Pressable>
  )
}
