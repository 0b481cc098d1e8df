import type { Answer } from "./calls.ts"
import { firstCalls } from "./firstCalls.ts"
import { languageOf } from "./languages.ts"
import { getToken } from "./session.ts"
import { getSettings } from "./settings.ts"
import { turn } from "./turn.ts"
import { askAhead, warm } from "./wire/index.ts"

// A file of its own beside the page's code, run as soon as it is there: on a slow line the channel is open and the first
// answers have come by the time the rest of the code has.

const DONE = 200

const token = getToken()
const caller = { token: token ?? "", lang: languageOf(getSettings().language).header }
warm()
for (const path of firstCalls(location.pathname, token)) {
  if (path === "/api/finance/userFinance") void draw(askAhead(path, {}, caller))
  else void askAhead(path, {}, caller)
}

/** Show in home's sketch what has come; nothing of a session that ended meanwhile. */
async function draw(asked: Promise<Answer<"/api/finance/userFinance">>): Promise<void> {
  try {
    const [answer, { drawTotal }] = await Promise.all([asked, import("./sketch.ts")])
    await turn()
    if (answer.code === DONE && token === getToken()) drawTotal(answer.data.total)
  } catch {
    // What failed is told where the screen asks for it.
  }
}
