import type { ReactNode } from "react"
import type { Block, Span } from "../lib/bulletins.ts"
import { atApi } from "../lib/wire/index.ts"
import { CarefulLink } from "./CarefulLink.tsx"
import { Picture } from "./Picture.tsx"

/** A text as the server read it: each block its own element, nothing of it ever markup. */
export function Prose({ blocks }: { blocks: readonly Block[] }) {
  return (
    <div className="flex flex-col gap-4 text-title leading-relaxed font-normal text-t1">
      {blocks.map((block, index) => (
        <One key={index} block={block} />
      ))}
    </div>
  )
}

function One({ block }: { block: Block }): ReactNode {
  switch (block.type) {
    case "paragraph":
      return (
        <p className="break-words">
          <Line spans={block.spans} />
        </p>
      )
    case "heading": {
      const Level = block.level === 2 ? "h3" : "h4"
      return (
        <Level className={`mt-2 break-words ${block.level === 2 ? "text-h2" : "text-title font-semibold"}`}>
          <Line spans={block.spans} />
        </Level>
      )
    }
    case "quote":
      return (
        <blockquote className="border-l-2 border-brand pl-4 break-words text-t2">
          <Line spans={block.spans} />
        </blockquote>
      )
    case "bullets":
      return block.first === null ? (
        <ul className="flex list-disc flex-col gap-2.5 pl-5 marker:text-t3">
          <Items items={block.items} />
        </ul>
      ) : (
        <ol start={block.first} className="flex list-decimal flex-col gap-2.5 pl-6 marker:text-t3">
          <Items items={block.items} />
        </ol>
      )
    case "code":
      return (
        <pre className="overflow-x-auto rounded-control bg-s1 px-4 py-3 font-mono text-small" translate="no">
          {block.text}
        </pre>
      )
    case "rule":
      return <hr className="border-line" />
    case "picture":
      return <Picture src={atApi(block.url)} alt={block.alt} width={block.width} height={block.height} />
    default:
      // A form that this page is too old for: what is around it still reads.
      return null
  }
}

function Items({ items }: { items: readonly Span[][] }) {
  return items.map((spans, index) => (
    <li key={index} className="break-words">
      <Line spans={spans} />
    </li>
  ))
}

function Line({ spans }: { spans: readonly Span[] }) {
  return spans.map((span, index) => <Piece key={index} span={span} />)
}

function Piece({ span }: { span: Span }): ReactNode {
  let shown: ReactNode = span.text
  if (span.text.includes("\n")) shown = <span className="whitespace-pre-line">{span.text}</span>
  if (span.code) shown = <code className="rounded-cell bg-s2 px-1 py-0.5 font-mono text-body">{shown}</code>
  if (span.emphasis) shown = <em>{shown}</em>
  if (span.strong) shown = <strong className="font-semibold">{shown}</strong>
  if (!span.href) return shown
  return (
    <CarefulLink href={span.href} className="font-medium text-brand-text underline underline-offset-4">
      {shown}
    </CarefulLink>
  )
}
