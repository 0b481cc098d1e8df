/** A tab that nobody looks at draws nothing, and starts all the same; so does one whose styles are late. */
const PATIENCE = 300

/**
 * Have the page's code fetched and run once what is drawn has been seen: on its way it would take the line from the
 * styles and the font, and running it takes a phone long.
 */
export function start(): void {
  const entry = document.querySelector<HTMLLinkElement>("link[data-entry]")
  if (entry === null) return
  const script = document.createElement("script")
  script.type = "module"
  script.src = entry.href
  let started = false
  const run = () => {
    if (started) return
    started = true
    document.head.append(script)
    fetchNamed()
  }
  // The first frame is on the screen when the next one is made.
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(run)))
  setTimeout(run, PATIENCE)
}

/** Fetch all that the page names for later, not one file after the other has said what it needs. */
function fetchNamed(): void {
  document.querySelectorAll<HTMLLinkElement>("link[data-later]").forEach((link, place) => {
    // To begin a request takes a phone some ten milliseconds: a press comes in between.
    setTimeout(() => {
      link.rel = "modulepreload"
    }, place)
  })
}
