import { beforeAll } from "vitest"
import { done, type Said } from "./answers.ts"
import type { Stage } from "./stage.tsx"
import { until } from "./until.ts"

const EMPTY = "data:,"
const PICTURE = { captcha_id: "1", background: EMPTY, piece: EMPTY, y: 40, tones: null, expires_at: 0 }

/** What a server says that takes any slide for right. */
export const SLIDE_SAID: Record<string, Said> = {
  "/api/auth/slide": done(PICTURE),
  "/api/auth/slideVerify": done({ proof: "proven" }),
}

/** Its code comes later than the page. */
export const loadSlide = () =>
  beforeAll(() => Promise.all([import("../ui/SheetPanel.tsx"), import("../ui/SlideCheck.tsx")]))

/** Slide the piece somewhere once the sheet has come, and wait until it has gone. */
export async function slide(stage: Stage): Promise<void> {
  await until(() => stage.count("[data-slide]") === 1)
  await stage.press(stage.get("button", "A little to the right"))
  await stage.press(stage.get("button", "Check"))
  await until(() => stage.router.state.location.state.sheet === undefined)
}
