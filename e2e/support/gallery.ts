/** The kit's gallery as a build of its own, served without the product behind it. */
import { execFileSync } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { extname, join } from "node:path"

const WEB = join(import.meta.dirname, "../../web")
const TYPES: Record<string, string> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".woff2": "font/woff2",
  ".svg": "image/svg+xml",
}

export interface Gallery {
  url: string
  close: () => Promise<void>
}

/** Build it and serve it; calls are answered as by a server that is away. */
export async function serveGallery(): Promise<Gallery> {
  const folder = await mkdtemp(join(tmpdir(), "kalos-gallery-"))
  const build = ["build", "--mode", "gallery", "--outDir", folder, "--logLevel", "error"]
  execFileSync("node_modules/.bin/vite", [...build, "--emptyOutDir"], { cwd: WEB, stdio: "inherit" })
  const server = createServer(async ({ url: path = "/" }, answer) => {
    if (/^\/(api|v1|ws|healthz|\.well-known)\b/.test(path)) return void answer.writeHead(503).end()
    const name = extname(path) === "" ? "index.html" : path
    const file = await readFile(join(folder, new URL(name, "http://x").pathname)).catch(() => null)
    answer.writeHead(file ? 200 : 404, { "content-type": TYPES[extname(name)] ?? "text/html" }).end(file)
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/gallery`,
    close: async () => {
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
