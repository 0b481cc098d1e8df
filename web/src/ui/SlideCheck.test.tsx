import { act } from "react"
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { hearing } from "../lib/hearing.ts"
import { queryClient } from "../lib/queries.ts"
import { startTexts } from "../lib/texts.ts"
import { TestServer } from "../lib/wire/testServer.ts"
import { type Stage, show } from "../testing/stage.tsx"
import SlideCheck from "./SlideCheck.tsx"

const server = new TestServer(location.origin)
const DONE = { code: 200, msg: "Done" }
const EMPTY = "data:,"
let drawn: number
let verdict: { code: number; msg: string; data: object }
let left: { captcha_id: string; x?: number; track?: number[][]; code?: string }[]
let proofs: string[]
let sounds: string[]
/** Until then no answer is judged. */
let held: Promise<void>
let stage: Stage

const press = async (name: string, times = 1) => {
  for (let time = 0; time < times; time++) await stage.press(stage.get("button", name))
}
const picture = () => document.querySelector("[data-slide]")?.getAttribute("data-slide")
const really = setTimeout
/**
 * Real time passes: what was judged right is seen for a moment before it serves. Where a test holds the time, only what
 * is due comes.
 */
async function until(isSo: () => boolean) {
  const most = Date.now() + 15_000
  while (!isSo()) {
    if (Date.now() > most) throw new Error(`it never came: ${stage.text()}`)
    await act(() => new Promise<void>((done) => void really(done, 5)))
    if (vi.isFakeTimers()) await act(async () => void vi.advanceTimersByTime(0))
  }
}

beforeAll(startTexts)
beforeEach(async () => {
  drawn = 0
  left = []
  proofs = []
  sounds = []
  hearing.wished = false
  held = Promise.resolve()
  verdict = { ...DONE, data: { proof: "proven" } }
  server.reply = (body, path) => {
    if (path === "/api/auth/slide") {
      const heard = (body as { kind?: string }).kind === "tones"
      const shown = heard
        ? { background: null, piece: null, y: null }
        : { background: EMPTY, piece: EMPTY, y: 40 }
      const tones = heard ? EMPTY : null
      return { ...DONE, data: { captcha_id: String(++drawn), ...shown, tones, expires_at: 0 } }
    }
    left.push(body as (typeof left)[number])
    return verdict
  }
  vi.stubGlobal("fetch", async (url: string, request: RequestInit) => {
    const { pathname } = new URL(url, location.origin)
    if (pathname === "/api/auth/slideVerify") await held
    return server.fetch(pathname, request)
  })
  vi.stubGlobal(
    "Audio",
    class {
      currentTime = 0
      play = async () => void sounds.push("play")
      pause = () => void sounds.push("pause")
    },
  )
  stage = await show(<SlideCheck onProof={(proof) => proofs.push(proof)} />)
  await until(() => picture() === "1")
})
afterEach(async () => {
  vi.useRealTimers()
  await stage.leave()
  queryClient.clear()
})

test("without dragging and without keys two buttons bring the piece there and a third has it judged", async () => {
  await press("A little to the right", 12)
  await press("A little to the left", 2)
  await press("Check")
  await until(() => proofs.length === 1)
  expect(proofs).toEqual(["proven"])
  expect(left.map(({ captcha_id, x }) => [captcha_id, x])).toEqual([["1", 40]])
  expect(left[0]?.track?.map(([place]) => place)).toEqual([
    ...[0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48],
    ...[44, 40, 40],
  ])
})

test("a miss says so, and there is another picture", async () => {
  verdict = { code: 401, msg: "no", data: { error: "wrong_captcha" } }
  await press("A little to the right")
  await press("Check")
  await until(() => picture() === "2")
  expect(stage.text()).toContain("Not quite. Please try another one.")
  expect(proofs).toEqual([])
})

test("another picture is asked for without an answer", async () => {
  await press("A little to the right", 3)
  await press("Another picture")
  await until(() => picture() === "2")
  expect(left).toEqual([])
  expect(stage.text()).not.toContain("Not quite")
  expect((stage.get("button", "Check") as HTMLButtonElement).disabled).toBe(true)
})

test("whoever can't see it counts tones; after a miss others, and Enter has them judged", async () => {
  const field = () => stage.get("input", "Tones in each group") as HTMLInputElement
  await press("Hear tones instead")
  await until(() => stage.count('[aria-label="Play the tones"]:enabled') === 1)
  expect([picture(), document.activeElement]).toEqual(["2", field()])
  expect((stage.get("button", "Check") as HTMLButtonElement).disabled).toBe(true)
  verdict = { code: 401, msg: "no", data: { error: "wrong_captcha" } }
  await press("Play the tones")
  await stage.type(field(), "1111")
  stage.get("button", "Check").focus()
  await press("Check")
  await until(() => picture() === "3")
  expect(document.querySelector("[role=status]")?.textContent).toBe("Not quite. Please try another one.")
  expect([field().value, document.activeElement]).toEqual(["", field()])
  verdict = { ...DONE, data: { proof: "heard" } }
  await stage.type(field(), "3142")
  const enter = new KeyboardEvent("keydown", { key: "Enter", bubbles: true })
  await act(async () => void field().dispatchEvent(enter))
  await until(() => proofs.length === 1)
  expect(proofs).toEqual(["heard"])
  expect(left.map(({ captcha_id, code, x }) => [captcha_id, code, x])).toEqual([
    ["2", "1111", undefined],
    ["3", "3142", undefined],
  ])
  expect(sounds).toEqual(["play", "pause"])
})

test("from the tones there is a way back to a picture", async () => {
  await press("Hear tones instead")
  await until(() => picture() === "2")
  await press("See a picture instead")
  await until(() => picture() === "3")
  expect(stage.count('input[type="range"]')).toBe(1)
  expect(left).toEqual([])
})

test("while an answer is judged nothing else takes its place", async () => {
  await press("Hear tones instead")
  await until(() => stage.count('[aria-label="Play the tones"]:enabled') === 1)
  let judge: () => void = () => undefined
  held = new Promise<void>((done) => {
    judge = done
  })
  await stage.type(stage.get("input", "Tones in each group"), "3142")
  await press("Check")
  await until(() => stage.text().includes("Checking"))
  expect((stage.get("button", "Other tones") as HTMLButtonElement).disabled).toBe(true)
  expect(stage.get("button", "See a picture instead").closest(".invisible")).not.toBeNull()
  judge()
  await until(() => proofs.length === 1)
  expect(picture()).toBe("2")
})

test.each(["while it is judged", "once it was judged"])(
  "who leaves %s has called off what it was for",
  async (when) => {
    let judge: () => void = () => undefined
    held = new Promise<void>((done) => {
      judge = done
    })
    await press("A little to the right")
    await press("Check")
    await until(() => stage.text().includes("Checking"))
    // However slow the machine is, they leave before it was seen.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    if (when === "once it was judged") {
      judge()
      await until(() => !stage.text().includes("Checking"))
    }
    await stage.leave()
    judge()
    for (let turn = 0; turn < 10; turn++) {
      await act(() => new Promise<void>((done) => void really(done, 20)))
      await act(async () => void vi.advanceTimersByTime(100))
    }
    expect([left.length, proofs]).toEqual([1, []])
  },
)

test("whoever heard once hears at the next slide, too", async () => {
  await press("Hear tones instead")
  await stage.leave()
  queryClient.clear()
  stage = await show(<SlideCheck onProof={() => undefined} />)
  await until(() => stage.count('[aria-label="Play the tones"]:enabled') === 1)
})
