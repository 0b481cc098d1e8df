import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import type { SceneAnswer } from "./api.gen.ts"
import { askSoon } from "./askSoon.ts"
import type { Path } from "./calls.ts"
import { serverNow, setServerTime } from "./clock.ts"
import { useLive, useLiveState } from "./live.ts"
import { askAnew, callQuery, queryClient } from "./queries.ts"
import { useStanding } from "./standing.ts"
import { onClockDoubt } from "./time.ts"

const ROUND_CALLS: readonly Path[] = [
  "/api/game/scene",
  "/api/game/index",
  "/api/game/blockLog",
  "/api/game/orderList",
  "/api/game/getBlock",
]
const SPOKEN = 15_000
const SILENT = 2_000
const TURNING = 1_000
const DRAWING = 30_000

// Answers about rounds carry the server's clock.
onClockDoubt(() => askAnew(queryClient, "/api/game/scene", "/api/game/index"))

/** How often to ask: seldom while the socket speaks, often while it is away. */
export function usePace(spoken = SPOKEN, silent = SILENT): number {
  return useLiveState() === "open" ? spoken : silent
}

/** A query whose failures count only while there is nothing to show: what is shown says its own age. */
export function known<Query extends { data: unknown; error: Error | null }>(query: Query): Query {
  return query.data === undefined ? query : { ...query, error: null }
}

/** Ask anew for whatever shows rounds as soon as the server says that one has changed. */
export function useRoundUpdates(): void {
  const client = useQueryClient()
  useLive("rounds", () => {
    askSoon(client, ...ROUND_CALLS)
  })
}

/** The hall: every game with its scenes. Also sets the clock. */
export function useHall(spoken = SPOKEN) {
  const hall = useStanding(
    useQuery({ ...callQuery("/api/game/index", {}), refetchInterval: usePace(spoken) }),
  )
  useServerTime(hall.data?.server_time, hall.dataUpdatedAt)
  return hall
}

/** One scene with its present round; asked every second while a round turns into the next. */
export function useScene(sceneId: string | undefined) {
  const pace = usePace()
  const scene = useStanding(
    useQuery({
      ...callQuery("/api/game/scene", { scene_id: sceneId ?? "" }),
      enabled: sceneId !== undefined,
      refetchInterval: ({ state: { data } }) => (data && isTurning(data) ? TURNING : pace),
    }),
  )
  useServerTime(scene.data?.server_time, scene.dataUpdatedAt)
  return scene
}

/** A scene that has a round. */
export type RunningScene = SceneAnswer & {
  round: string
  state: NonNullable<SceneAnswer["state"]>
  opens_at: number
  closes_at: number
  height: number
}

export function isRunning(scene: SceneAnswer): scene is RunningScene {
  return scene.round !== null
}

/** Whether bets are taken at this moment. */
export function isOpen({ state, closes_at }: Pick<SceneAnswer, "state" | "closes_at">, now: number): boolean {
  return state === "open" && closes_at !== null && now < closes_at
}

/** Whether something is due now: this round's seal and the next one, or the result before it, each for half a minute. */
export function isTurning(scene: SceneAnswer, now = serverNow()): boolean {
  if (!isRunning(scene)) return false
  if (!isOpen(scene, now)) return now < scene.closes_at + DRAWING
  const newest = scene.results[0]
  const before = scene.closes_at - secondsOf(scene.scene_id) * 1000
  return newest !== undefined && closeOf(newest.round) < before && now < before + DRAWING
}

/** Seconds of a scene's rounds: the tail of its id ("odd_even-60"). */
export function secondsOf(sceneId: string): number {
  return tailOf(sceneId)
}

/** Close time in milliseconds: the tail of a round's id ("odd_even-60-1763740800"). */
export function closeOf(round: string): number {
  return tailOf(round) * 1000
}

function tailOf(id: string): number {
  return Number(id.slice(id.lastIndexOf("-") + 1))
}

/** An answer from the cache says what time it was when it came. */
function useServerTime(time: number | undefined, receivedAt: number): void {
  useEffect(() => {
    if (time !== undefined) setServerTime(time, receivedAt)
  }, [time, receivedAt])
}
