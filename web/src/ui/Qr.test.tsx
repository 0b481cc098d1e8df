import { act } from "react"
import { afterEach, expect, test } from "vitest"
import { type Stage, show } from "../testing/stage.tsx"
import { Qr } from "./Qr.tsx"

let stage: Stage
afterEach(() => stage.leave())

test("a QR code keeps four quiet modules around it, dark on white in any theme", async () => {
  stage = await show(<Qr text="0x5FbDB2315678afecb367f032d93F642f64180aa3" label="QR code" />)
  await act(async () => void (await import("uqr")))
  const size = Number(stage.get("svg").getAttribute("viewBox")?.split(" ")[2])
  const path = stage.get("svg path").getAttribute("d") ?? ""
  const places = [...path.matchAll(/M(\d+) (\d+)/g)].flatMap(([, x, y]) => [Number(x), Number(y)])
  expect([Math.min(...places), Math.max(...places)]).toEqual([4, size - 5])
  expect(stage.get("svg").parentElement?.className).toContain("bg-white")
})
