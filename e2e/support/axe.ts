/** axe inside the page: brought there once for a document, however often it looks. */
import axe, { type Result, type RunOptions } from "axe-core"
import type { Page } from "playwright-core"

type Holder = typeof globalThis & { axe?: typeof axe }

/** The rules that a theme may break; what no colour changes is looked at in one of them. */
export const COLOURS = ["color-contrast", "link-in-text-block"]

/** What axe finds wrong with the page as it stands. */
export async function violationsOf(page: Page, options: RunOptions = {}): Promise<Result[]> {
  if (!(await page.evaluate(() => (globalThis as Holder).axe !== undefined))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    (wanted) => (globalThis as unknown as { axe: typeof axe }).axe.run(document, wanted),
    { resultTypes: ["violations" as const], ...options },
  )
  return violations
}
