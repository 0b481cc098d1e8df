import { readOnce } from "../lib/store.ts"
import { storedSettings, storedToken } from "../lib/stored.ts"
import { fill } from "./fill.ts"
import { putChoices, show, sketchOf } from "./paint.ts"
import { start } from "./start.ts"

const settings = storedSettings()
putChoices(settings)
// A device that keeps nothing only shows less.
const kept = sketchOf(location, storedToken()) === "home" && readOnce().catch(() => undefined)
// Once all of the page is read.
document.addEventListener(
  "readystatechange",
  () => {
    start()
    show(settings)
    if (kept) void fill(kept)
  },
  { once: true },
)
