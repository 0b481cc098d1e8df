import { afterEach, expect, it } from "vitest"
import { dateParts } from "./dateParts.ts"
import { setSettings } from "./settings.ts"

afterEach(() => setSettings({ language: "en" }))

it.each([
  ["en", "month day year", "Nov"],
  ["vn", "day month year", "Tháng 11"],
  ["th", "day month year", "พ.ย."],
  ["ja", "year month day", "11月"],
  ["ko", "year month day", "11월"],
  ["zh", "year month day", "11月"],
  ["zhTW", "year month day", "11月"],
])("a date in %s stands as %s, with %s in it", (language, order, november) => {
  setSettings({ language })
  const { order: parts, months } = dateParts()
  expect(parts.join(" ")).toBe(order)
  expect([months.length, months[10]]).toEqual([12, november])
})
