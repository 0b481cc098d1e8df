import { expect, test } from "vitest"
import { show } from "../testing/stage.tsx"
import { Page } from "./Page.tsx"

const screen = (
  <Page title="Home" header={null}>
    <p>15,000</p>
  </Page>
)

test("the first screen stands at once, later ones fade in", async () => {
  const first = await show(screen)
  expect(first.count("main")).toBe(1)
  expect(first.count("main.animate-enter")).toBe(0)
  await first.leave()
  const later = await show(screen)
  expect(later.count("main.animate-enter")).toBe(1)
  await later.leave()
})
