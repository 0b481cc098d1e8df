import { Suspense } from "react"
import { afterEach, expect, test } from "vitest"
import { soon } from "../testing/soon.ts"
import { type Stage, show } from "../testing/stage.tsx"
import { optional } from "./optional.ts"

let stage: Stage
afterEach(() => stage.leave())

test.each([
  ["stands", async () => ({ default: () => <p>, beside it a part</p> }), "a screen, beside it a part"],
  ["that doesn't come takes nothing away", () => Promise.reject(new TypeError("gone")), "a screen"],
])("a part %s", async (_name, load, text) => {
  const Part = optional(load)
  stage = await show(
    <>
      <p>a screen</p>
      <Suspense>
        <Part />
      </Suspense>
    </>,
  )
  await soon(() => expect(stage.text()).toBe(text))
})
