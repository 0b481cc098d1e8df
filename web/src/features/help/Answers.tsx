import { Disclosure } from "../../ui/Disclosure.tsx"
import { Pressable } from "../../ui/Pressable.tsx"

/** A question with its answer in the reader's language. */
export interface Shown {
  topic: string
  question: string
  answer: string
  ways: readonly { label: string; to: string; search?: Record<string, unknown> }[]
}

/** Questions that open, each with the screens that its answer speaks of. */
export function Answers({ list }: { list: readonly Shown[] }) {
  return list.map(({ question, answer, ways }) => (
    <Disclosure key={question} title={question}>
      <p className="text-t2">{answer}</p>
      {ways.length > 0 && (
        <p className="mt-3 flex flex-wrap gap-2">
          {ways.map(({ label, to, search }) => (
            <Pressable
              key={label}
              to={to}
              search={search}
              className="inline-flex min-h-11 items-center rounded-full bg-s2 px-4 text-small text-brand-text active:bg-s3"
            >
              {label}
            </Pressable>
          ))}
        </p>
      )}
    </Disclosure>
  ))
}
