// @vitest-environment document
import { beforeEach, expect, test } from "vitest"
import { setSettings } from "./settings.ts"
import { drawTotal } from "./sketch.ts"

const SKETCH = '<div data-sketch="home"><i></i><span data-total hidden><small></small></span></div>'

beforeEach(() => {
  document.body.innerHTML = SKETCH
  setSettings({ language: "en", numbers: "language", hide: false })
})

test("the balance stands where the skeleton stood, written as the member writes numbers", () => {
  setSettings({ numbers: "1.234,5" })
  drawTotal("1234567.80000000")
  expect(document.body.innerHTML).toBe(
    '<div data-sketch="home"><i hidden=""></i><span data-total="">1.234.567<small>,80</small></span></div>',
  )
})

test("what comes later takes the place of what stands there", () => {
  drawTotal("1234.5")
  drawTotal("7")
  expect(document.body.textContent).toBe("7.00")
})

test("a figure too long for the sketch waits for the screen", () => {
  const before = document.body.innerHTML
  drawTotal("1234567890.12345678")
  expect(document.body.innerHTML).toBe(before)
})

test("who hides amounts sees none in the sketch either", () => {
  setSettings({ hide: true })
  const before = document.body.innerHTML
  drawTotal("1234.5")
  expect(document.body.innerHTML).toBe(before)
})

test("an answer that comes after the screen draws nothing", () => {
  document.body.innerHTML = "<main>1,234.50</main>"
  drawTotal("99")
  expect(document.body.innerHTML).toBe("<main>1,234.50</main>")
})
