/** What is wrong with a page as it stands: these functions run inside it, so each holds all that it needs. */

/** Text that is cut off or lies on other text, and a page that scrolls sideways. */
export function layoutFaults(width: number): string[] {
  const SLACK = 1.5
  const faults = new Set<string>()
  const root = document.documentElement
  if (root.scrollWidth > width) faults.add(`scrolls sideways by ${root.scrollWidth - width}`)

  /** A box that only readers find: clipped to nothing. */
  const spokenOnly = (box: DOMRect) => box.width <= 1 && box.height <= 1
  const hides = (overflow: string) => overflow === "hidden" || overflow === "clip"
  const scrolls = (overflow: string) => overflow === "auto" || overflow === "scroll"

  /** What keeps this text from being read whole; nothing where it can be. */
  const cut = (holder: Element, text: DOMRect): string | null => {
    const open = { x: true, y: true }
    // A line's box is taller than its letters: an eighth of it above and below may be lost.
    const lead = text.height / 8 + SLACK
    for (let box: Element | null = holder; box !== null && box !== root; box = box.parentElement) {
      const style = getComputedStyle(box)
      const edge = box.getBoundingClientRect()
      if (style.display === "inline" || style.display === "contents") continue
      // A line may end early that is whole in its name, or where it leads.
      const shown = style.textOverflow === "ellipsis" && box.closest("[title],[aria-label],a[href]") !== null
      const sideways = text.left < edge.left - SLACK || text.right > edge.right + SLACK
      const upright = text.top < edge.top - lead || text.bottom > edge.bottom + lead
      if (open.x && hides(style.overflowX) && sideways && !shown) return "is cut at the side"
      if (open.y && hides(style.overflowY) && upright) return "is cut above or below"
      if (scrolls(style.overflowX) || shown) open.x = false
      if (scrolls(style.overflowY)) open.y = false
      const control = box.matches("a,button,label,input")
      if (control && open.x && sideways) return "stands out of its control at the side"
      if (control && open.y && upright) return "stands out of its control"
      if (style.position === "fixed") {
        if (open.y && (text.top < -lead || text.bottom > innerHeight + lead)) return "is out of reach"
        break
      }
    }
    if (open.x && (text.left < -SLACK || text.right > width + SLACK)) return "is out of the page"
    return null
  }

  const range = document.createRange()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const lines: { holder: Element; text: string; box: DOMRect; free: boolean }[] = []
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const holder = node.parentElement
    const text = node.nodeValue?.trim().replace(/\s+/g, " ").slice(0, 40) ?? ""
    if (holder === null || text === "") continue
    if (!holder.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    let layer: Element | null = holder
    let unseen = false
    let free = false
    let excerpt: Element | null = null
    for (; layer !== null && layer !== root; layer = layer.parentElement) {
      const { position, webkitLineClamp } = getComputedStyle(layer)
      if (webkitLineClamp !== "none" && layer.closest("a[href]") !== null) excerpt = layer
      if (spokenOnly(layer.getBoundingClientRect())) unseen = true
      if (position === "fixed" || position === "sticky") free = true
    }
    if (unseen) continue
    range.selectNodeContents(node)
    for (const box of range.getClientRects()) {
      if (box.width < 1 || box.height < 1) continue
      // The further lines of an excerpt stand where it leads.
      if (excerpt !== null && box.bottom > excerpt.getBoundingClientRect().bottom + SLACK) continue
      const fault = cut(holder, box)
      if (fault !== null) faults.add(`"${text}" ${fault}`)
      lines.push({ holder, text, box, free })
    }
  }
  lines.forEach((one, index) => {
    for (const other of lines.slice(index + 1)) {
      if (one.free || other.free || one.holder.contains(other.holder) || other.holder.contains(one.holder))
        continue
      const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
      const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
      const least = Math.min(one.box.height, other.box.height)
      if (across > 3 && down > least / 2) faults.add(`"${one.text}" lies on "${other.text}"`)
    }
  })
  return [...faults]
}

/** What can be pressed and is smaller than 44 pixels, or than 24 in a table; a link of words may be as narrow, too. */
export function targetFaults(): string[] {
  const LEAST = 44
  const NARROW = 24
  const PRESSED =
    "a[href],button,input,select,textarea,summary,[role=button],[role=link],[role=radio],[role=checkbox],[role=switch],[role=tab],[role=option]"
  const faults = new Set<string>()
  for (const target of document.querySelectorAll<HTMLElement>(PRESSED)) {
    if (!target.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    const box = (target.closest("label") ?? target).getBoundingClientRect()
    if (box.width < 2 || box.height < 2) continue
    // A link inside a sentence is as tall as its line.
    const inLine =
      getComputedStyle(target).display === "inline" &&
      target.parentElement?.textContent !== target.textContent
    const name = `"${(target.ariaLabel ?? target.textContent ?? "").trim().slice(0, 40)}" (${target.tagName.toLowerCase()})`
    const high = target.closest("table") ? NARROW : LEAST
    const isWord = target.matches("a[href]:not(:has(svg))") && target.textContent !== ""
    const wide = isWord ? NARROW : high
    if (!inLine && (box.width < wide - 0.5 || box.height < high - 0.5))
      faults.add(`${name} is ${Math.round(box.width)} × ${Math.round(box.height)}`)
  }
  return [...faults]
}

/** The spacing of text that a reader may choose (WCAG 1.4.12); gives the way back. */
export function spaceText(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(
    "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }",
  )
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}

export function unspaceText(): void {
  document.adoptedStyleSheets = document.adoptedStyleSheets.slice(0, -1)
}

/** Before the page's own code: note every movement that lasts longer than a member who wants none should see. */
export function watchMotion(): void {
  const MOST_MS = 120
  const seen: string[] = []
  Object.assign(globalThis, { longMotions: seen })
  const look = () => {
    for (const animation of document.getAnimations()) {
      const { activeDuration } = animation.effect?.getComputedTiming() ?? {}
      if (Number(activeDuration) <= MOST_MS) continue
      const { target } = animation.effect as KeyframeEffect
      seen.push(`${animation.constructor.name} of ${activeDuration} ms on ${target?.className ?? "?"}`)
    }
  }
  for (const kind of ["animationstart", "transitionrun"]) document.addEventListener(kind, look, true)
  const noted = (name: string, options: unknown) => {
    if ((options as ScrollOptions | undefined)?.behavior === "smooth") seen.push(`${name} scrolls smoothly`)
  }
  const { scrollIntoView } = Element.prototype
  Element.prototype.scrollIntoView = function (options) {
    noted("scrollIntoView", options)
    scrollIntoView.call(this, options)
  }
  const { scrollTo } = window
  window.scrollTo = (...words: unknown[]) => {
    noted("scrollTo", words[0])
    Reflect.apply(scrollTo, window, words)
  }
}

/** What was noted since the page was loaded. */
export function longMotions(): string[] {
  return [...new Set((globalThis as unknown as { longMotions?: string[] }).longMotions ?? [])]
}
