import { act } from "react"
import { afterEach, beforeAll, expect, test } from "vitest"
import { usePictures } from "../lib/pictures.ts"
import { startTexts } from "../lib/texts.ts"
import { type Stage, show } from "../testing/stage.tsx"
import { PicturesField } from "./PicturesField.tsx"

const OVER = "4 pictures at most: the others were left out."
let stage: Stage

const Four = () => <PicturesField label="Pictures" pictures={usePictures(4)} />

/** None of them can be sent, so that none is. */
const choose = (...names: string[]) =>
  act(async () => {
    const files = names.map((name) => new File(["x"], name, { type: "image/gif" }))
    const input = stage.get("[type=file]")
    Object.defineProperty(input, "files", { value: files, configurable: true })
    input.dispatchEvent(new Event("change", { bubbles: true }))
  })

beforeAll(startTexts)
afterEach(() => stage.leave())

test("whoever chooses more pictures than there is room for reads that some were left out", async () => {
  stage = await show(<Four />)
  await choose("a")
  await choose("b", "c", "d")
  expect([stage.count("li"), stage.text().includes(OVER)]).toEqual([4, false])
  await stage.press(stage.get("button", "Remove a"))
  await choose("e", "f")
  expect([stage.count("li"), stage.text().includes(OVER)]).toEqual([4, true])
  await stage.press(stage.get("button", "Remove b"))
  expect([stage.count("li"), stage.text().includes(OVER)]).toEqual([3, false])
})
