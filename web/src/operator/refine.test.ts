// @vitest-environment document
import { MutationObserver, onlineManager, QueryObserver } from "@tanstack/react-query"
import { afterEach, expect, test, vi } from "vitest"
import { Refusal } from "../lib/api.ts"
import { soon } from "../testing/soon.ts"
import { authProvider, queryClient } from "./refine.ts"
import { getStaffToken, setStaffToken } from "./session.ts"

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  onlineManager.setOnline(true)
})

test("a device that says it has no network asks and acts all the same: it may stand beside the server", async () => {
  onlineManager.setOnline(false)
  const queryFn = vi.fn().mockResolvedValue("answer")
  const leave = new QueryObserver(queryClient, { queryKey: ["figures"], queryFn }).subscribe(() => undefined)
  expect(queryFn).toHaveBeenCalledOnce()
  leave()
  const mutationFn = vi.fn().mockResolvedValue("done")
  void new MutationObserver(queryClient, { mutationFn }).mutate(undefined)
  await soon(() => expect(mutationFn).toHaveBeenCalledOnce())
})

test("a server that says nothing keeps nobody logged in for longer than three seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  const asked = vi.fn(() => new Promise(() => undefined))
  vi.stubGlobal("fetch", asked)
  setStaffToken("token")
  const leaving = authProvider.logout({})
  await vi.advanceTimersByTimeAsync(2999)
  expect(getStaffToken()).toBe("token")
  await vi.advanceTimersByTimeAsync(1)
  expect([await leaving, getStaffToken()]).toEqual([{ success: true }, null])
  // Sealed beside the page, it would go out in the next file.
  await soon(() => expect(asked).toHaveBeenCalled())
})

test("what was refused because many asked at once is asked for again by itself, another refusal stands", async () => {
  vi.useFakeTimers()
  const ask = async (code: number, data: object) => {
    const problem = new Refusal(code, "No", data as never)
    const queryFn = vi.fn().mockRejectedValueOnce(problem).mockResolvedValue("answer")
    const leave = new QueryObserver(queryClient, { queryKey: [problem], queryFn }).subscribe(() => undefined)
    await vi.advanceTimersByTimeAsync(1_600)
    leave()
    return queryFn.mock.calls.length
  }
  expect(await ask(429, { error: "busy", retry_after: 1 })).toBe(2)
  expect(await ask(422, { error: "forbidden" })).toBe(1)
})
