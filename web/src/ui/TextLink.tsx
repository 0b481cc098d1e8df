import type { ReactNode } from "react"
import { Pressable, type Target } from "./Pressable.tsx"

/** A link in a sentence. */
export function TextLink({ children, ...target }: Target & { children: ReactNode }) {
  return (
    <Pressable
      {...target}
      className="inline-flex min-h-6 items-center font-medium text-brand-text active:opacity-70"
    >
      {children}
    </Pressable>
  )
}
