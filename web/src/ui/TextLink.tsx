import type { ReactNode } from "react"
import { Pressable, type Target } from "./Pressable.tsx"

/** A link in a sentence: to the finger 44 px tall, in its line only 24; a word of one sign is 24 wide too. */
export function TextLink({ children, ...target }: Target & { children: ReactNode }) {
  return (
    <Pressable
      {...target}
      className="-my-2.5 inline-flex min-h-11 min-w-6 items-center font-medium text-brand-text active:opacity-70"
    >
      {children}
    </Pressable>
  )
}
