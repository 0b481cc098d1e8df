import { renderToStaticMarkup } from "react-dom/server"
import { expect, it } from "vitest"
import type { Block } from "../lib/bulletins.ts"
import { Prose } from "./Prose.tsx"

const html = (block: Block) =>
  renderToStaticMarkup(<Prose blocks={[block]} />)
    .replace(/ class="[^"]*"/g, "")
    .replace(/^<div>|<\/div>$/g, "")

it.each<[Block, string]>([
  [{ type: "paragraph", spans: [{ text: "<b>no</b> markup" }] }, "<p>&lt;b&gt;no&lt;/b&gt; markup</p>"],
  [
    { type: "paragraph", spans: [{ text: "a" }, { text: "b", strong: true, emphasis: true }] },
    "<p>a<strong><em>b</em></strong></p>",
  ],
  [{ type: "quote", spans: [{ text: "x", code: true }] }, "<blockquote><code>x</code></blockquote>"],
  [{ type: "heading", level: 2, spans: [{ text: "Two" }] }, "<h3>Two</h3>"],
  [{ type: "heading", level: 3, spans: [{ text: "Three" }] }, "<h4>Three</h4>"],
  [{ type: "bullets", first: null, items: [[{ text: "a" }]] }, "<ul><li>a</li></ul>"],
  [{ type: "bullets", first: 3, items: [[{ text: "a" }]] }, '<ol start="3"><li>a</li></ol>'],
  [{ type: "code", text: "<x>" }, '<pre translate="no">&lt;x&gt;</pre>'],
  [{ type: "rule" }, "<hr/>"],
  [{ type: "film" } as never, ""],
])("%j becomes %s", (block, shown) => {
  expect(html(block)).toBe(shown)
})
