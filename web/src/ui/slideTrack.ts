import { useRef } from "react"

/** The points of a slide's picture, and the last place where its piece of 56 points is whole in it. */
export const SLIDE = { width: 320, height: 160, most: 264 } as const

/** Pairs of a place and the milliseconds since the first of them. */
export type Track = number[][]

const MOST_POINTS = 480

/** How a piece came to where it is left; what is too long for the server keeps its beginning and its end. */
export function useTrack(now: () => number = () => performance.now()) {
  const points = useRef<Track>([])
  const begun = useRef(0)
  const add = (place: number) => {
    if (points.current.length === 0) {
      begun.current = now()
      points.current.push([0, 0])
    }
    if (points.current.length === MOST_POINTS) points.current.pop()
    points.current.push([place, Math.round(now() - begun.current)])
  }
  return {
    move: add,
    /** The whole way, with the moment in which it was left. */
    end: (place: number): Track => {
      add(place)
      return [...points.current]
    },
  }
}
