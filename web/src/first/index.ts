import { storedSettings } from "../lib/stored.ts"
import { putChoices, show } from "./paint.ts"
import { start } from "./start.ts"

const settings = storedSettings()
putChoices(settings)
// Once all of the page is read.
document.addEventListener(
  "readystatechange",
  () => {
    start()
    show(settings)
  },
  { once: true },
)
