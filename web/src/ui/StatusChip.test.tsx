import { expect, test } from "vitest"
import { show } from "../testing/stage.tsx"
import { StatusChip } from "./StatusChip.tsx"

test.each([
  ["approved", "Approved"],
  ["not_won", "Not won"],
  ["a_word_of_tomorrow", "unknown status"],
  ["", "unknown status"],
])("the status %j is said as %j", async (status, said) => {
  const stage = await show(<StatusChip status={status} />)
  expect(stage.text()).toBe(said)
  await stage.leave()
})
