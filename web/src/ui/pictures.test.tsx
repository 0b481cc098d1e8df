import { act } from "react"
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest"
import type { Block } from "../lib/bulletins.ts"
import { soon } from "../testing/soon.ts"
import { type Stage, show } from "../testing/stage.tsx"
import { Prose } from "./Prose.tsx"

const PICTURE: Block = { type: "picture", url: "/api/upload/x", alt: "A round", width: 12, height: 8 }

let stage: Stage
// The viewer's own code comes with the first press.
beforeAll(() => import("./PictureViewer.tsx"))
beforeEach(async () => {
  stage = await show(<Prose blocks={[PICTURE]} />)
})
afterEach(() => stage.leave())

const images = () => [...document.querySelectorAll("img")]
const viewer = () => stage.get("[role=dialog]")
const zoom = () => stage.get("[role=dialog] output").textContent
const key = (name: string) =>
  act(async () => viewer().dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true })))
const open = async () => {
  await stage.press(stage.get("button", "Enlarge the picture: A round"))
  await act(() => soon(viewer))
}

test("a picture comes from the API's own address, with its size and its words", () => {
  const [image] = images()
  expect(image?.src).toMatch(/^http.*\/api\/upload\/x$/)
  expect([image?.alt, image?.width, image?.height, image?.getAttribute("loading")]).toEqual([
    "A round",
    12,
    8,
    "lazy",
  ])
})

test("a press shows it alone, a step of the history away", async () => {
  await open()
  expect(stage.router.state.location.state.sheet).toMatch(/^picture/)
  expect(viewer().textContent).toContain("A round")
  await act(async () => stage.router.history.back())
  await act(() => soon(() => expect(stage.count("[role=dialog]")).toBe(0)))
})

test("it grows and shrinks by buttons and by keys, within its limits", async () => {
  await open()
  expect(zoom()).toBe("100%")
  expect((stage.get("[role=dialog] button", "Smaller") as HTMLButtonElement).disabled).toBe(true)
  await stage.press(stage.get("[role=dialog] button", "Larger"))
  expect(zoom()).toBe("150%")
  await key("+")
  expect(zoom()).toBe("200%")
  await key("-")
  await stage.press(stage.get("[role=dialog] button", "Smaller"))
  expect(zoom()).toBe("100%")
  for (let times = 0; times < 9; times++) await key("+")
  expect(zoom()).toBe("400%")
  expect((stage.get("[role=dialog] button", "Larger") as HTMLButtonElement).disabled).toBe(true)
  await key("0")
  expect(zoom()).toBe("100%")
})

test("two fingers that part enlarge it", async () => {
  await open()
  const area = stage.get("[role=dialog] [role=group]")
  const finger = (type: string, pointerId: number, clientX: number) =>
    act(async () =>
      area.dispatchEvent(
        Object.assign(new Event(type, { bubbles: true }), {
          pointerId,
          clientX,
          clientY: 0,
          pointerType: "touch",
        }),
      ),
    )
  await finger("pointerdown", 1, 100)
  await finger("pointermove", 1, 90)
  expect(zoom()).toBe("100%")
  await finger("pointerdown", 2, 190)
  await finger("pointermove", 2, 290)
  expect(zoom()).toBe("200%")
  await finger("pointerup", 2, 290)
  await finger("pointermove", 1, 400)
  expect(zoom()).toBe("200%")
})
