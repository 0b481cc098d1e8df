import { t } from "@lingui/core/macro"
import { useEffect, useRef, useState } from "react"
import { upload } from "./upload.ts"

const TYPES = new Set(["image/jpeg", "image/png", "image/webp"])
const MOST_BYTES = 5_000_000

export interface Picture {
  key: number
  name: string
  /** An address of this page that shows it. */
  shown: string
  /** How much of it is on its way, 0 to 1; null once it is there or was refused. */
  part: number | null
  problem: string | null
  /** What other calls take; null until it is there. */
  id: string | null
}

/** Up to `most` pictures that are sent as they are chosen, for a form that sends their ids. */
export function usePictures(most: number) {
  const [list, setList] = useState<Picture[]>([])
  const [over, setOver] = useState(false)
  const going = useRef(new Map<number, AbortController>())
  const next = useRef(0)
  const shown = useRef<string[]>([])
  useEffect(
    () => () => {
      for (const controller of going.current.values()) controller.abort()
      for (const address of shown.current) URL.revokeObjectURL(address)
    },
    [],
  )
  const change = (key: number, part: Partial<Picture>) =>
    setList((now) => now.map((one) => (one.key === key ? { ...one, ...part } : one)))
  const send = async (key: number, file: File) => {
    const controller = new AbortController()
    going.current.set(key, controller)
    try {
      const { upload_id } = await upload(file, {
        purpose: "picture",
        quiet: true,
        signal: controller.signal,
        onProgress: (part) => change(key, { part }),
      })
      change(key, { part: null, id: upload_id })
    } catch (cause) {
      if (!controller.signal.aborted) change(key, { part: null, problem: (cause as Error).message })
    } finally {
      going.current.delete(key)
    }
  }
  const add = (files: File[]) => {
    setOver(files.length > most - list.length)
    for (const file of files.slice(0, most - list.length)) {
      const key = next.current++
      const problem = problemOf(file)
      const address = URL.createObjectURL(file)
      shown.current.push(address)
      const picture = {
        key,
        name: file.name,
        shown: address,
        part: problem === null ? 0 : null,
        problem,
        id: null,
      }
      setList((now) => [...now, picture])
      if (problem === null) void send(key, file)
    }
  }
  return {
    list,
    most,
    /** Of those chosen last some were left out, for which there was no room. */
    over,
    room: list.length < most,
    /** Every picture is there: what is on its way or was refused is not sent along. */
    ready: list.every(({ id }) => id !== null),
    ids: list.flatMap(({ id }) => id ?? []),
    add,
    remove: (key: number) => {
      setOver(false)
      going.current.get(key)?.abort()
      setList((now) => now.filter((one) => one.key !== key))
    },
    /** Those with these ids were sent. */
    drop: (ids: string[]) => {
      setOver(false)
      setList((now) => now.filter(({ id }) => id === null || !ids.includes(id)))
    },
  }
}

export type Pictures = ReturnType<typeof usePictures>

/** Why a file can't be sent, before it is tried. */
function problemOf(file: File): string | null {
  if (!TYPES.has(file.type)) return t`Only JPEG, PNG and WebP pictures can be sent`
  return file.size > MOST_BYTES ? t`A picture may have at most 5 MB` : null
}
