import { expect, expectTypeOf, test } from "vitest"
import type { BetAnswer, NewestBlock, RoundProof } from "./api.gen.ts"
import { type call, Refusal } from "./api.ts"
import type { Answer, Body, Data, Path, RefusalData } from "./calls.ts"
import { callQuery, pagesQuery } from "./queries.ts"

const BET: Body<"/api/game/beton"> = {
  scene_id: "odd_even-60",
  round: "odd_even-60-1795075260",
  option: "odd",
  amount: "10",
  balance_type: "USDT",
  request_id: "fT3kq0ZsWm8_aB1xLr9uYw2c",
}

test("what the document doesn't know is an error to tsc", () => {
  const wrong = async (send: typeof call) => {
    // @ts-expect-error a path that isn't in the document
    await send("/api/game/betoff", BET)
    // @ts-expect-error a page that isn't asked by POST
    await send("/.well-known/wire-keys", {})
    // @ts-expect-error a field is missing
    await send("/api/game/scene", {})
    // @ts-expect-error a field that the call doesn't have
    await send("/api/user/info", { account: "48213957" })
    // @ts-expect-error a field of another type
    await send("/api/game/beton", { ...BET, round: 7 })
    // @ts-expect-error a status that the document doesn't know
    await send("/api/game/orderList", { status: "lost" })
    // @ts-expect-error a field that the answer doesn't have
    return (await send("/api/game/beton", BET)).prize
  }
  const wrongQueries = () => [
    // @ts-expect-error a call that is no list
    pagesQuery("/api/user/info", {}),
    // @ts-expect-error the page itself says where the next one begins
    pagesQuery("/api/game/orderList", { after: "17" }),
    // @ts-expect-error a field of another type
    callQuery("/api/game/scene", { scene_id: 60 }),
  ]
  expectTypeOf(wrong).toBeFunction() // tsc reads them; nobody runs them
  expectTypeOf(wrongQueries).toBeFunction()
})

test("a call knows its body, its answers and its refusals by its path", () => {
  expectTypeOf<Data<"/api/game/beton">>().toEqualTypeOf<BetAnswer>()
  expectTypeOf<Data<"/api/game/getBlock">>().toEqualTypeOf<NewestBlock | RoundProof>()
  expectTypeOf<Body<"/api/auth/logout">>().toEqualTypeOf<Record<string, never>>()
  type Code = Answer<"/api/game/scene">["code"]
  expectTypeOf<Code>().toEqualTypeOf<200 | 400 | 404 | 406 | 429 | 460 | 461 | 462 | 463 | 464>()
  expectTypeOf<"/.well-known/wire-keys">().not.toExtend<Path>()
  expectTypeOf<RefusalData<"too_many">>().toEqualTypeOf<{ error: "too_many"; retry_after: number }>()
})

test("a refusal gives its data to whoever asks by its name", () => {
  const refusal = new Refusal(422, "The limit is reached", {
    error: "limit_reached",
    asset: "USDT",
    room: { odd: "2.5" },
  })
  expect(refusal.dataOf("limit_reached")?.room.odd).toBe("2.5")
  expect(refusal.dataOf("below_minimum")).toBeNull()
  expect(new Refusal(464, "A sealed request is required", null).error).toBe("unknown")
  // @ts-expect-error no refusal of this name
  expect(refusal.dataOf("out_of_limits")).toBeNull()
})
