import { useEffect, useRef } from "react"
import type { Block } from "../lib/bulletins.ts"
import { Amount } from "../ui/Amount.tsx"
import { Disclosure } from "../ui/Disclosure.tsx"
import { List } from "../ui/List.tsx"
import { News } from "../ui/News.tsx"
import { Prose } from "../ui/Prose.tsx"
import { Part, State } from "./Part.tsx"

const LONG_AGO = 60_000
const LOADED = Date.now()

const BLOCKS: Block[] = [
  { type: "heading", level: 2, spans: [{ text: "A heading" }] },
  {
    type: "paragraph",
    spans: [
      { text: "A paragraph with " },
      { text: "strong", strong: true },
      { text: ", " },
      { text: "stressed", emphasis: true },
      { text: " and " },
      { text: "machine", code: true },
      { text: " words, " },
      { text: "a link", href: "/help" },
      { text: " of ours and " },
      { text: "one", href: "https://explorer.example/" },
      { text: " to another site." },
    ],
  },
  { type: "heading", level: 3, spans: [{ text: "A smaller heading" }] },
  {
    type: "bullets",
    first: null,
    items: [
      [{ text: "One point" }],
      [{ text: "Another one, long enough to need a second line of the page" }],
    ],
  },
  { type: "bullets", first: 3, items: [[{ text: "The third step" }], [{ text: "The fourth step" }]] },
  { type: "quote", spans: [{ text: "What somebody else has said." }] },
  { type: "code", text: "0x9c1f7a7cf4b8d52a\n  -> 2" },
  { type: "rule" },
  { type: "picture", url: "/icon.svg", alt: "The mark of Kalos on its ground", width: 512, height: 512 },
]

/** What is read: texts of others, answers that open, figures that the socket keeps. */
export function Reading() {
  return (
    <>
      <Part name="Disclosure">
        <State name="closed">
          <List>
            <Disclosure title="How is a result drawn?">From the hash of a block.</Disclosure>
          </List>
        </State>
        <State name="open">
          <Opened />
        </State>
      </Part>
      <Part name="News">
        <State name="fresh">
          <News at={0}>
            <Amount value="98410.5" asset="USDT" />
          </News>
        </State>
        <State name="while the socket is silent">
          <News at={LOADED - LONG_AGO}>
            <Amount value="98410.5" asset="USDT" />
          </News>
        </State>
      </Part>
      <Part name="Prose">
        <Prose blocks={BLOCKS} />
      </Part>
    </>
  )
}

function Opened() {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const details = place.current?.querySelector("details")
    if (details) details.open = true
  }, [])
  return (
    <div ref={place}>
      <List>
        <Disclosure title="A question so long that it needs two lines beside the sign that turns it open">
          <p className="text-t2">From the hash of a block, which was fixed before the first bet.</p>
        </Disclosure>
      </List>
    </div>
  )
}
