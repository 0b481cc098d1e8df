import { act } from "react"
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { suspectOffline } from "../lib/network.ts"
import { Payment } from "../lib/payment.ts"
import { LostCode } from "../lib/reload.ts"
import { soon } from "../testing/soon.ts"
import { type Stage, show } from "../testing/stage.tsx"
import { BrokenPage } from "./BrokenPage.tsx"

const reload = vi.fn()
let reachable: boolean
let stage: Stage | undefined

// In a slow hour its code once didn't come within a minute: it is here before anything is stubbed.
beforeAll(() => import("./CopyDetails.tsx"))
beforeEach(() => {
  reload.mockClear()
  reachable = true
  vi.stubGlobal("location", { origin: location.origin, host: location.host, href: location.href, reload })
  vi.stubGlobal("fetch", async () => {
    if (!reachable) throw new TypeError("away")
    return new Response("ok")
  })
  vi.spyOn(Math, "random").mockReturnValue(0)
})

afterEach(async () => {
  await comeBack()
  await stage?.leave()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const heads = (title: string) => soon(() => act(async () => expect(stage?.get("h1").textContent).toBe(title)))
const settled = () => act(async () => new Promise((wake) => setTimeout(wake, 20)))

async function comeBack(): Promise<void> {
  reachable = true
  await act(async () => void dispatchEvent(new Event("online")))
  await settled()
}

async function meet(error: Error): Promise<void> {
  stage = await show(<BrokenPage error={error} reset={() => undefined} />)
}

test("a screen whose code can't come for want of a connection says so, and loads once that is back", async () => {
  reachable = false
  await meet(new LostCode("/game", { cause: new TypeError("away") }))
  await heads("No connection")
  expect(reload).not.toHaveBeenCalled()
  await comeBack()
  await soon(() => expect(reload).toHaveBeenCalledTimes(1))
})

test("no reload takes away what is being paid: it is left to the member", async () => {
  const payment = new Payment("broken", async () => ({ id: "1" }))
  payment.review({ amount: "50" })
  reachable = false
  await meet(new LostCode("/game", { cause: new TypeError("away") }))
  await heads("No connection")
  await comeBack()
  await heads("Something went wrong")
  expect(reload).not.toHaveBeenCalled()
  payment.cancel()
})

test("a screen that failed says so, with a connection or without, and doesn't reload by itself", async () => {
  await meet(new TypeError("of our own making"))
  await heads("Something went wrong")
  await soon(() => act(async () => stage?.get("button", "Copy the details for a report")))
  reachable = false
  suspectOffline()
  await settled()
  await heads("Something went wrong")
  await comeBack()
  expect(reload).not.toHaveBeenCalled()
})
