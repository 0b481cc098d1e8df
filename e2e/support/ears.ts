/** What comes out of the loudspeaker, and how somebody counts the tones in it. */
import type { Locator, Page } from "playwright-core"
import type { Reader } from "./reader.ts"

const HEADER = 44
const RATE_AT = 24
const SILENCE = 128
const LOUD = 20
const ENDS_TONE = 0.05
const ENDS_GROUP = 0.5
const HEARD_MS = 2_000
const MOST_PRESSES = 20

/** Keep what each page of this one's context plays from now on. */
export async function listen(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const played: string[] = []
    Object.assign(globalThis, { played })
    const play = HTMLMediaElement.prototype.play
    HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
      played.push(this.src)
      return play.call(this)
    }
  })
}

/** By keys alone: play the tones that stand in for a picture, and type what was heard into their field. */
export async function countTones(
  page: Page,
  reader: Reader,
  field: Locator,
  within = page.locator("main"),
): Promise<void> {
  const play = within.getByRole("button", { name: "Play the tones" }).and(page.locator(":enabled"))
  const before = await heardOn(page)
  let heard = ""
  // Those that were answered count no longer: others are on their way, and the button rests until they are here.
  for (let presses = 0; heard === "" || before.includes(heard); presses++) {
    if (presses === MOST_PRESSES) throw new Error(`nothing new is heard: ${await within.textContent()}`)
    await play.waitFor()
    await reader.tabTo(play)
    const { length } = await heardOn(page)
    await reader.press("Enter")
    // The button may have come to rest at that moment, for others are on their way.
    heard = await page.waitForFunction(playedAfter, length, { timeout: HEARD_MS }).then(
      (played) => played.jsonValue(),
      () => "",
    )
  }
  await reader.press("Shift+Tab")
  await field.and(page.locator(":focus")).waitFor()
  await reader.type(counted(heard))
}

/** Runs in the page: what was played after so many; nothing yet while there is none. */
const playedAfter = (count: number): string =>
  (globalThis as unknown as { played: string[] }).played[count] ?? ""

const heardOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => (globalThis as unknown as { played: string[] }).played)

/** How many tones each group of a data URL's sound has, as digits. */
function counted(url: string): string {
  const sound = Buffer.from(url.slice(url.indexOf(",") + 1), "base64")
  const rate = sound.readUInt32LE(RATE_AT)
  const groups = [0]
  let quiet = Number.POSITIVE_INFINITY
  let calm = 0
  for (const sample of sound.subarray(HEADER)) {
    if (Math.abs(sample - SILENCE) <= LOUD) {
      calm++
      continue
    }
    if (calm / rate > ENDS_TONE) quiet = calm / rate
    if (quiet > ENDS_GROUP && groups.at(-1) !== 0) groups.push(0)
    if (quiet > ENDS_TONE) groups[groups.length - 1] = (groups.at(-1) ?? 0) + 1
    quiet = 0
    calm = 0
  }
  return groups.join("")
}
