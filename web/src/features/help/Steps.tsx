import type { ReactNode } from "react"

interface Props {
  steps: readonly { picture: ReactNode; title: string; text: string }[]
}

/** What to do one after the other, each with its picture. */
export function Steps({ steps }: Props) {
  return (
    <ol className="flex flex-col gap-4">
      {steps.map(({ picture, title, text }, index) => (
        <li key={title} className="flex items-start gap-4">
          {picture}
          <div className="min-w-0 flex-1 pt-0.5">
            <p className="font-medium">
              {steps.length > 1 && <span className="mr-2 font-mono text-t3">{index + 1}</span>}
              {title}
            </p>
            <p className="mt-1 text-small text-t2">{text}</p>
          </div>
        </li>
      ))}
    </ol>
  )
}
