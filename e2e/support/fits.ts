/** What of the gallery doesn't fit its place; each runs in the page, and takes nothing from outside itself. */

/** What sticks out of its part; a browser on a phone makes the page wider for it. */
export function figuresOutside(): string[] {
  const parts = [...document.querySelectorAll('[data-part="Amount"], [data-part="Row"]')]
  return parts.flatMap((part) => {
    const { right } = part.getBoundingClientRect()
    const all = [...part.querySelectorAll("span")]
    return all
      .filter((one) => one.getBoundingClientRect().right > right + 1)
      .map((one) => one.textContent ?? "")
  })
}

/** What sticks out of the page, or is too small a target. */
export function misfits(target: number): string[] {
  const name = (one: Element) =>
    `${one.closest("[data-part]")?.getAttribute("data-part")}: ${one.tagName} ${one.getAttribute("aria-label") ?? one.textContent?.slice(0, 40)}`
  const found: string[] = []
  if (document.documentElement.scrollWidth > innerWidth) {
    for (const one of document.querySelectorAll("main *")) {
      const { right, left } = one.getBoundingClientRect()
      if ((right > innerWidth + 1 || left < -1) && !one.closest(".overflow-x-auto"))
        found.push(`sticks out, ${name(one)}`)
    }
  }
  for (const one of document.querySelectorAll("button, a, label:has(input), [role=switch]")) {
    const { width, height } = one.getBoundingClientRect()
    // WCAG's exception: a link as tall as the sentence it stands in.
    const inSentence = one.parentElement?.tagName === "P"
    if (width > 1 && (height < target - 0.5 || width < target - 0.5) && !inSentence)
      found.push(`${Math.round(width)} x ${Math.round(height)}, ${name(one)}`)
  }
  return found
}

/** How far each text's own middle is from its head's, and how much of it its place hides. */
export function offCentre(titles: Element[]): { off: number; hidden: number }[] {
  return titles.map((title) => {
    const range = document.createRange()
    range.selectNodeContents(title)
    const [text, head] = [range.getBoundingClientRect(), title.closest("header")?.getBoundingClientRect()]
    const off = text.x + text.width / 2 - ((head?.x ?? 0) + (head?.width ?? 0) / 2)
    return { off, hidden: Math.max(0, title.scrollWidth - title.clientWidth) }
  })
}
