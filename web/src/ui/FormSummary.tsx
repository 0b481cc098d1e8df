import { Plural } from "@lingui/react/macro"
import { useEffect, useId, useRef } from "react"
import { Pressable } from "./Pressable.tsx"

interface Props {
  /** What is wrong, in the order of the form. */
  problems: readonly { name: string; text: string }[]
  /** How often the form was sent: with each time the summary takes the focus. */
  tries: number
  onChoose: (name: string) => void
}

/** Over a form that was sent with mistakes: all of them, each leading to its field. One alone is said under its field. */
export function FormSummary({ problems, tries, onChoose }: Props) {
  const title = useId()
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    if (tries > 0) box.current?.focus()
  }, [tries])
  const count = problems.length
  if (count < 2) return null
  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-labelledby={title}
      className="mt-4 rounded-chip bg-s1 px-3 py-2.5 text-small outline-offset-2 outline-brand-text focus:outline-2"
    >
      <h2 id={title} className="font-semibold text-danger">
        <Plural value={count} one="# field needs a look" other="# fields need a look" />
      </h2>
      <ul>
        {problems.map(({ name, text }) => (
          <li key={name}>
            <Pressable
              onPress={() => onChoose(name)}
              className="min-h-11 w-full text-left text-brand-text underline underline-offset-4"
            >
              {text}
            </Pressable>
          </li>
        ))}
      </ul>
    </section>
  )
}
