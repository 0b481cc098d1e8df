// @vitest-environment document
import { InfiniteQueryObserver, QueryObserver } from "@tanstack/react-query"
import { afterEach, expect, test, vi } from "vitest"
import { answerWith, done } from "../testing/answers.ts"
import { soon } from "../testing/soon.ts"
import { Refusal } from "./api.ts"
import { firstCalls } from "./firstCalls.ts"
import { warn } from "./notices.ts"
import { pagesQuery, queryClient, rowsOf, takeFirst } from "./queries.ts"
import { endSession, startSession } from "./session.ts"
import { setSettings } from "./settings.ts"

vi.mock("./notices.ts", async (original) => ({ ...(await original<object>()), warn: vi.fn() }))

afterEach(() => vi.useRealTimers())

test("what came too soon is asked for again by itself, another refusal and a long wait stand", async () => {
  vi.useFakeTimers()
  const refused = (error: string, retry_after?: number) =>
    new Refusal(429, "No", { error, ...(retry_after && { retry_after }) } as never)
  const ask = async (problem: Refusal) => {
    const queryFn = vi.fn().mockRejectedValueOnce(problem).mockResolvedValue("answer")
    const asked = queryClient.fetchQuery({
      ...queryClient.getDefaultOptions().queries,
      queryKey: [problem],
      queryFn,
    })
    const ended = asked.catch((failure) => failure)
    await vi.advanceTimersByTimeAsync(900)
    expect(queryFn).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(700)
    return [queryFn.mock.calls.length, await ended]
  }
  const [late, other] = [refused("too_many", 300), refused("not_found")]
  expect(await ask(refused("too_many", 1))).toEqual([2, "answer"])
  expect(await ask(refused("busy", 1))).toEqual([2, "answer"])
  expect(await ask(late)).toEqual([1, late])
  expect(await ask(other)).toEqual([1, other])
})

test("what a query was refused is told once it isn't asked for again, but not that a session ended", async () => {
  vi.useFakeTimers()
  const refuse = (code: number, data: object) => new Refusal(code, `No, ${code}`, data as never)
  const ask = async (...answers: Refusal[]) => {
    vi.mocked(warn).mockClear()
    const queryFn = vi.fn().mockResolvedValue("answer")
    for (const answer of answers) queryFn.mockRejectedValueOnce(answer)
    const asked = queryClient.fetchQuery({
      ...queryClient.getDefaultOptions().queries,
      queryKey: [answers],
      queryFn,
    })
    const ended = asked.catch(() => undefined)
    await vi.advanceTimersByTimeAsync(9_000)
    await ended
    return vi.mocked(warn).mock.calls
  }
  expect(await ask(refuse(429, { error: "busy", retry_after: 1 }))).toEqual([])
  expect(await ask(refuse(422, { error: "feature_off" }))).toEqual([["No, 422", { seldom: true }]])
  expect(await ask(refuse(406, { error: "session_ended" }))).toEqual([])
})

const isStale = () => queryClient.getQueryState(["texts"])?.isInvalidated

test("another language asks anew for what the server said, another theme doesn't", () => {
  queryClient.setQueryData(["texts"], "Hello")
  setSettings({ theme: "paper" })
  expect(isStale()).toBe(false)
  setSettings({ language: "vn" })
  expect(isStale()).toBe(true)
})

test("a first answer that is on its way in the language before is asked for anew", async () => {
  const says: ((text: string) => void)[] = []
  const queryFn = () => new Promise<string>((say) => void says.push(say))
  const leave = new QueryObserver(queryClient, { queryKey: ["first"], queryFn }).subscribe(() => undefined)
  setSettings({ language: "th" })
  expect(says).toHaveLength(2)
  for (const [index, say] of says.entries()) say(["Xin chào", "สวัสดี"][index] as string)
  await soon(() => expect(queryClient.getQueryData(["first"])).toBe("สวัสดี"))
  leave()
})

test("a list asks for ten rows at a time, each page after the last one's end, until one brings fewer", async () => {
  startSession("a token")
  const asked: unknown[] = []
  answerWith((_path, { size, after }) => {
    asked.push({ size, after })
    const list = Array.from({ length: after === "10" ? 9 : 10 }, (_, row) => ({ id: `${after}-${row}` }))
    return done({ list, total: 19, next: "10" })
  })
  const pages = new InfiniteQueryObserver(queryClient, pagesQuery("/api/user/shareList", {}))
  const leave = pages.subscribe(() => undefined)
  await soon(() => expect(rowsOf(pages.getCurrentResult().data)).toHaveLength(10))
  expect(pages.getCurrentResult().hasNextPage).toBe(true)
  await pages.fetchNextPage()
  expect(rowsOf(pages.getCurrentResult().data)).toHaveLength(19)
  expect(pages.getCurrentResult().hasNextPage).toBe(false)
  expect(asked).toEqual([{ size: 10 }, { size: 10, after: "10" }])
  leave()
  endSession()
  vi.unstubAllGlobals()
})

test("the first screen's answers are taken before it is drawn, and waited for only a moment", async () => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined)) // a server that says nothing
  history.replaceState(null, "", "/home")
  await takeFirst()
  expect(queryClient.getQueryCache().findAll({ fetchStatus: "fetching" })).toEqual([])
  startSession("a token")
  await takeFirst()
  const asked = queryClient.getQueryCache().findAll({ fetchStatus: "fetching" })
  expect(asked.map(({ queryKey: [path] }) => path)).toEqual(firstCalls("/home", "a token"))
})
