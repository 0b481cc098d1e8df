/** A tab that nobody looks at draws nothing, and starts all the same. */
const PATIENCE = 100

/** Run the page's code, which is on its way already, once what is drawn has been seen: running it takes a phone long. */
export function start(): void {
  const entry = document.querySelector<HTMLLinkElement>("link[data-entry]")
  if (entry === null) return
  const script = document.createElement("script")
  script.type = "module"
  script.crossOrigin = "anonymous"
  script.src = entry.href
  let started = false
  const run = () => {
    if (!started) document.head.append(script)
    started = true
  }
  // The first frame is on the screen when what it left behind runs.
  requestAnimationFrame(() => setTimeout(run))
  setTimeout(run, PATIENCE)
}
