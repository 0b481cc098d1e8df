/** A member without a pointer, or without sight: what each press of a key leads to, and what is said there. */
import type { CDPSession, Locator, Page } from "playwright-core"

const MOST_STOPS = 80

export class Reader {
  /** What was wrong on the way. */
  readonly problems: string[] = []
  /** What a screen reader says at each stop: role and name. */
  readonly heard: string[] = []
  private readonly page: Page
  private readonly tree: CDPSession

  private constructor(page: Page, tree: CDPSession) {
    this.page = page
    this.tree = tree
  }

  static async of(page: Page): Promise<Reader> {
    await page.addInitScript(noteSpeech)
    const tree = await page.context().newCDPSession(page)
    await tree.send("Accessibility.enable")
    return new Reader(page, tree)
  }

  /** Press Tab until this has the focus; every stop on the way is looked at. */
  async tabTo(goal: Locator): Promise<void> {
    await goal.waitFor({ state: "attached" })
    await this.page.evaluate(() => {
      Object.assign(globalThis, { lastStop: document.activeElement })
    })
    const begun = this.heard.length
    for (let stops = 0; stops < MOST_STOPS; stops++) {
      await this.page.keyboard.press("Tab")
      await this.look()
      if (await goal.evaluate((target) => target === document.activeElement)) return
    }
    throw new Error(`the keyboard does not reach ${goal}: ${this.heard.slice(begun).join(", ")}`)
  }

  /** Press keys, one after the other. */
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key)
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text)
  }

  /** Role, name and description of what has the focus. */
  async focused(): Promise<{ role: string; name: string; description: string; invalid: boolean }> {
    const { result } = await this.tree.send("Runtime.evaluate", { expression: "document.activeElement" })
    const objectId = result.objectId ?? ""
    const { nodes } = await this.tree.send("Accessibility.getPartialAXTree", {
      objectId,
      fetchRelatives: false,
    })
    const [node] = nodes
    const invalid = node?.properties?.find(({ name }) => name === "invalid")?.value.value
    return {
      role: String(node?.role?.value ?? ""),
      name: String(node?.name?.value ?? ""),
      description: String(node?.description?.value ?? ""),
      invalid: invalid === "true",
    }
  }

  /** Wait until a live region has said this. */
  async hears(words: RegExp): Promise<void> {
    await this.page.waitForFunction(
      (source) =>
        ((globalThis as unknown as { spoken?: string[] }).spoken ?? []).some((text) =>
          new RegExp(source).test(text),
        ),
      words.source,
      { polling: 100 },
    )
  }

  private async look(): Promise<void> {
    const problems = await this.page.evaluate(lookAtFocus)
    const { role, name } = await this.focused()
    const spoken = `${role} "${name}"`
    this.heard.push(spoken)
    if (role !== "RootWebArea" && name.trim() === "") problems.push("has no name")
    const { pathname } = new URL(this.page.url())
    this.problems.push(...problems.map((problem) => `${pathname}: ${spoken} ${problem}`))
  }
}

/** Runs in the page: is the focus seen, uncovered, and further on than before? */
async function lookAtFocus(): Promise<string[]> {
  const now = document.activeElement
  // A ring may come softly; what moves for ever is none.
  const rings = document
    .getAnimations()
    .filter(({ effect }) => (effect as KeyframeEffect).target?.contains(now))
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
  await Promise.allSettled(rings.map(({ finished }) => finished))
  const memory = globalThis as unknown as { lastStop?: Element | null }
  const before = memory.lastStop
  memory.lastStop = now
  const problems: string[] = []
  if (!(now instanceof HTMLElement) || now === document.body) return problems
  if (now.tabIndex > 0) problems.push("puts itself before others in the order")
  if (
    before &&
    before !== document.body &&
    before.isConnected &&
    before.compareDocumentPosition(now) & Node.DOCUMENT_POSITION_PRECEDING &&
    !(now.compareDocumentPosition(before) & Node.DOCUMENT_POSITION_CONTAINED_BY) &&
    now.closest("[role=dialog]") === null
  )
    problems.push("comes after what stands behind it")
  // The ring may be drawn by the element, by its label, or by the frame around a field.
  let marked = false
  for (let box: HTMLElement | null = now, up = 0; box !== null && up < 4; box = box.parentElement, up++) {
    const style = getComputedStyle(box)
    const outline = style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) >= 2
    const ring = /(?:^|\s)2px inset|0px 0px 0px 2px|0px -2px 0px 0px inset/.test(style.boxShadow)
    const line =
      box === now &&
      Number.parseFloat(style.borderBottomWidth) >= 2 &&
      style.borderBottomColor !== "rgba(0, 0, 0, 0)"
    if (outline || ring || line) marked = true
  }
  if (!marked) problems.push("shows no focus")
  const shown = now.closest("label") ?? now
  const box = shown.getBoundingClientRect()
  const x = Math.min(Math.max(box.left + box.width / 2, 1), innerWidth - 1)
  const top = Math.max(box.top, 0)
  const bottom = Math.min(box.bottom, innerHeight)
  if (bottom - top < Math.min(box.height, 20)) problems.push("is outside of what is seen")
  else {
    const hit = document.elementFromPoint(x, (top + bottom) / 2)
    if (!(hit !== null && (shown.contains(hit) || hit.contains(shown))))
      problems.push(`is covered by ${hit?.outerHTML.slice(0, 80) ?? "nothing"}`)
  }
  return problems
}

/** Before the page's own code: keep what live regions say. */
function noteSpeech(): void {
  const spoken: string[] = []
  Object.assign(globalThis, { spoken })
  const LIVE = "[role=status],[role=alert],[role=log],[aria-live=polite],[aria-live=assertive]"
  const note = (changes: MutationRecord[]) => {
    const added = new Set(changes.flatMap(({ addedNodes }) => [...addedNodes]))
    for (const { target, addedNodes } of changes) {
      const holder = target instanceof Element ? target : target.parentElement
      const region = holder?.closest(LIVE)
      // A polite region that comes together with its text is not read out.
      if (region && ![...added].some((node) => node.contains(region))) spoken.push(region.textContent ?? "")
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue
        const alert = node.matches("[role=alert]") ? node : node.querySelector("[role=alert]")
        if (alert) spoken.push(alert.textContent ?? "")
      }
    }
  }
  const watch = () =>
    new MutationObserver(note).observe(document, { subtree: true, childList: true, characterData: true })
  watch()
}
