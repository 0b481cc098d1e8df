/** What brings its own keys sees to itself. */
const TYPED = 'input:not([inputmode="none"]), textarea'
const SUBMIT = '[type="submit"]'

/**
 * Keep what is typed into in view in a scrolling `body`, with the button that sends it: when it takes the focus, and when
 * keyboard, window or a new sentence change what there is room for. For a `ref`: returns the way to end it.
 */
export function keepInView(body: HTMLElement | null) {
  if (!body) return
  const bring = () => {
    const field = document.activeElement
    if (!body.contains(field) || !field?.matches(TYPED)) return
    field.closest("form")?.querySelector(SUBMIT)?.scrollIntoView?.({ block: "nearest" })
    // Where there is no room for both, the field.
    field.scrollIntoView?.({ block: "nearest" })
  }
  // Where the browser has no observer, a focus alone brings it in.
  const sizes = globalThis.ResizeObserver && new ResizeObserver(bring)
  for (const part of [body, body.firstElementChild]) if (part) sizes?.observe(part)
  body.addEventListener("focusin", bring)
  return () => {
    sizes?.disconnect()
    body.removeEventListener("focusin", bring)
  }
}

/**
 * Keep `--keyboard` on the page: how much of its foot the system's keyboard covers, where the browser lays it over the
 * page instead of making that smaller. Returns the way to end it.
 */
export function followKeyboard(): () => void {
  const view = globalThis.visualViewport
  const page = document.documentElement
  if (!view) return () => undefined
  const measure = () => {
    // What is merely enlarged is covered by nothing.
    const covered = view.scale === 1 ? page.clientHeight - view.offsetTop - view.height : 0
    page.style.setProperty("--keyboard", `${Math.max(0, Math.round(covered))}px`)
  }
  measure()
  view.addEventListener("resize", measure)
  view.addEventListener("scroll", measure)
  return () => {
    view.removeEventListener("resize", measure)
    view.removeEventListener("scroll", measure)
    page.style.removeProperty("--keyboard")
  }
}
