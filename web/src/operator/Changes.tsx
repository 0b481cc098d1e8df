import { Icon } from "../ui/Icon.tsx"
import { fieldText, nameOf } from "./words.ts"

type Values = Readonly<Record<string, unknown>>

/** What is, and what it becomes: a line for each field, those that stay in grey. */
export function Changes({ before, after }: { before: Values; after: Values }) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  if (names.length === 0) return null
  return (
    <dl className="mt-2 rounded-chip bg-s2 px-4 py-2">
      {names.map((name) => {
        const [was, is] = [fieldText(name, before[name]), fieldText(name, after[name])]
        return (
          <div key={name} className="flex flex-wrap items-baseline gap-x-3 py-1">
            <dt className="min-w-24 flex-1 text-small text-t3">{nameOf(name)}</dt>
            <dd className="flex min-w-0 items-center gap-2 break-all">
              <span className={was === is ? "text-t3" : "text-t2"}>{was}</span>
              {was !== is && (
                <>
                  <Icon name="next" size={4} className="text-t3" />
                  <span className="sr-only">becomes</span>
                  <strong className="font-semibold">{is}</strong>
                </>
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
