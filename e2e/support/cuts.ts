/** Texts that a screen doesn't show whole. */
import type { Page } from "playwright-core"

/** What the page shows only in part at this size: texts wider than their place, labels of tabs on two lines. */
export async function cutOff(page: Page, size: { width: number; height: number }): Promise<string[]> {
  await page.setViewportSize(size)
  return await page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    const found: string[] = []
    const root = document.documentElement
    if (root.scrollWidth > root.clientWidth) found.push(`the page scrolls sideways to ${root.scrollWidth}`)
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const box = node.parentElement
      const text = node.textContent?.trim() ?? ""
      // A line that leads to its whole text may be cut.
      if (
        !box ||
        text === "" ||
        box.closest(".sr-only, script, style, select, a .truncate, a [class*=line-clamp]")
      )
        continue
      if (!box.checkVisibility()) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const { left, right, height } = range.getBoundingClientRect()
      if (height === 0) continue
      const sideways = box.closest(".overflow-x-auto")
      if (!sideways && (left < -0.5 || right > root.clientWidth + 0.5)) found.push(`beside the page: ${text}`)
      for (let place: Element | null = box; place && place !== sideways; place = place.parentElement) {
        const style = getComputedStyle(place)
        if (style.display === "inline" || style.position === "fixed") continue
        const bounds = place.getBoundingClientRect()
        if (right > bounds.right + 1 || left < bounds.left - 1) found.push(`wider than its place: ${text}`)
        const hides = style.overflowX !== "visible" && place.scrollWidth > place.clientWidth + 1
        if (hides || (style.overflowY === "hidden" && place.scrollHeight > place.clientHeight + 1))
          found.push(`cut off: ${text}`)
        break
      }
      if (box.closest("nav.fixed") && range.getClientRects().length > 1) found.push(`on two lines: ${text}`)
    }
    return found
  })
}
