import { firstCalls } from "./firstCalls.ts"
import { languageOf } from "./languages.ts"
import { getToken } from "./session.ts"
import { getSettings } from "./settings.ts"
import { askAhead, warm } from "./wire/index.ts"

// A file of its own beside the page's code, run as soon as it is there: on a slow line the channel is open and the first
// answers have come by the time the rest of the code has.

const token = getToken()
const lang = languageOf(getSettings().language).header
warm()
for (const path of firstCalls(location.pathname, token)) askAhead(path, {}, { token: token ?? "", lang })
