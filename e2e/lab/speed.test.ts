/** How soon the first screens stand on a phone with a slow line (docs: F2); one load each, and in a soak the median of five. */
import assert from "node:assert/strict"
import { appendFileSync } from "node:fs"
import { after, test } from "node:test"
import { Product } from "../support/product.ts"
import { type Figures, measure, medianOf, type Round } from "./lighthouse.ts"

const SOAK = Boolean(process.env.KALOS_SOAK)
const GOAL = { score: 95, lcp: 2_000, tbt: 150, cls: 0.02, access: 100 }
/** One load on a machine that does other things too: what depends on its processor may be so much worse. */
const BUSY = { score: 50, lcp: 5_000, tbt: 2_500, cls: 0.05, access: 100 }

const product = await Product.start()
after(() => product.stop())

test("log-in and home stand soon on a phone with a slow line", async (run) => {
  const rounds = await measure(product, SOAK ? 5 : 1)
  const found = {
    login: medianOf(rounds, "login"),
    home: medianOf(rounds, "home"),
    peer: medianOf(rounds, "peer"),
  }
  for (const [name, figures] of Object.entries(found)) tell(run, `pages ${name}`, figures)
  const limits = SOAK ? GOAL : BUSY
  const missed = [...misses("login", found.login, limits), ...misses("home", found.home, limits)]
  assert.deepEqual(missed, [])
})

function misses(page: keyof Round, figures: Figures, limits: Figures): string[] {
  const better = new Set(["score", "access"])
  return (Object.keys(limits) as (keyof Figures)[])
    .filter((name) => (better.has(name) ? figures[name] < limits[name] : figures[name] > limits[name]))
    .map((name) => `/${page}: ${name} ${figures[name]}, not ${limits[name]}`)
}

/** Say what was measured, to `make soak` too. */
function tell(run: { diagnostic(text: string): void }, name: string, figures: Figures): void {
  const line = JSON.stringify({ name, ...figures })
  run.diagnostic(line)
  if (process.env.KALOS_FIGURES) appendFileSync(process.env.KALOS_FIGURES, `${line}\n`)
}
