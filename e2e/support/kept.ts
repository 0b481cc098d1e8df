/** What the page keeps on the device for when there is no network. */
import type { Page } from "playwright-core"

/** How many records of answers there are: one for the member who is logged in. */
export const keptRecords = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise((done, fail) => {
        const opening = indexedDB.open("kalos")
        opening.onerror = () => fail(opening.error)
        opening.onsuccess = () => {
          const counting = opening.result.transaction("answers").objectStore("answers").count()
          counting.onsuccess = () => done(counting.result)
        }
      }),
  )
