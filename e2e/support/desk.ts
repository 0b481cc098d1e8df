/** What is looked at on each page of the operator console. */
import type { Page } from "playwright-core"
import { COLOURS, violationsOf } from "./axe.ts"

const PATIENCE_MS = 20_000

/** What axe finds on a page, in the light theme and, of its colours, in the dark one. */
export async function faultsOf(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme })
    const wanted = theme === "light" ? "paper" : "ink"
    await page.waitForFunction((name) => document.documentElement.dataset.theme === name, wanted)
    await page.waitForFunction(() => document.getAnimations().length === 0)
    const violations = await violationsOf(page, theme === "light" ? {} : { runOnly: COLOURS })
    found.push(...violations.map(({ id, nodes }) => `${theme}: ${id} ${nodes[0]?.html}`))
  }
  return found
}

/** Whether the section that is shown stands whole in the line of all, on a window so wide. */
export const sectionIsInView = (page: Page, width: number): Promise<boolean> =>
  page
    .waitForFunction(
      (width) => {
        const place = document.querySelector("nav [aria-current=page]")?.getBoundingClientRect()
        return place !== undefined && place.left >= 0 && place.right <= width
      },
      width,
      { timeout: PATIENCE_MS },
    )
    .then(
      () => true,
      () => false,
    )
