import { DeviceStore } from "../lib/store.ts"
import { storedSettings, storedToken } from "../lib/stored.ts"
import { fill } from "./fill.ts"
import { putChoices, show } from "./paint.ts"
import { start } from "./start.ts"

const settings = storedSettings()
putChoices(settings)
const kept = storedToken() === null ? Promise.resolve() : new DeviceStore().read()
kept.catch(() => undefined)
// Once all of the page is read.
document.addEventListener(
  "readystatechange",
  () => {
    start()
    show(settings)
    void fill(kept)
  },
  { once: true },
)
