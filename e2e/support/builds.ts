/** Builds of the page: a copy of the present one, and the one after it, in which every hashed file has another name. */
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"

const DIST = join(import.meta.dirname, "../../web/dist")
const HASHED = /([\w.-]+-)([\w-])([\w-]{7}\.(?:js|css|woff2))/g
const TWIN = /\.(br|gz)$/
const TEXT = /\.(js|css|html)$/

export async function copyBuild(folder: string): Promise<void> {
  await cp(DIST, folder, { recursive: true })
}

/** Put the next build where this one is, as a deploy does. */
export async function nextBuild(folder: string): Promise<void> {
  const next = `${folder}.next`
  await mkdir(next, { recursive: true })
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || TWIN.test(entry.name)) continue
    const place = join(entry.parentPath, entry.name)
    const target = join(next, renamed(place.slice(folder.length + 1)))
    await mkdir(join(target, ".."), { recursive: true })
    if (TEXT.test(place)) await writeFile(target, renamed(await readFile(place, "utf8")))
    else await cp(place, target)
  }
  const worker = join(next, "sw.js")
  const source = await readFile(worker, "utf8")
  await writeFile(worker, source.replace(/(?<=id:[`"])[0-9a-f]{16}/, "f".repeat(16)))
  await rm(folder, { recursive: true })
  await rename(next, folder)
}

const renamed = (text: string): string =>
  text.replace(HASHED, (_all, stem, first, rest) => `${stem}${first === "Z" ? "Y" : "Z"}${rest}`)
