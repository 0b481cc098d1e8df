/** Bare pages of React, built as ours are, to stand beside ours in the same run. */
import { createServer, type Server } from "node:http"
import { join } from "node:path"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { build, type Rolldown } from "vite"

const SOURCES = join(import.meta.dirname, "peers")
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>A bare page</title>
    <script type="module" src="/entry.js"></script>
  </head>
  <body></body>
</html>
`

/** The one script of a bare page. */
export async function builtPeer(name: "empty" | "routed"): Promise<string> {
  const { output } = (await build({
    configFile: false,
    root: SOURCES,
    logLevel: "error",
    define: { "process.env.NODE_ENV": '"production"' },
    build: { target: "es2023", write: false, rolldownOptions: { input: join(SOURCES, `${name}.ts`) } },
  })) as Rolldown.RolldownOutput
  return output.map((part) => (part.type === "chunk" ? part.code : "")).join("\n")
}

/** Bytes after gzip, as sizes.ts counts them. */
export function zipped(script: string): number {
  return gzipSync(script, { level: 9 }).length
}

/** Serve the empty page, compressed, on the loopback; close it when done. */
export async function servePeer(): Promise<{ url: string; server: Server }> {
  const script = brotliCompressSync(await builtPeer("empty"))
  const server = createServer((request, response) => {
    if (request.url === "/entry.js") {
      response.writeHead(200, { "content-type": "text/javascript", "content-encoding": "br" }).end(script)
    } else if (request.url === "/") {
      response.writeHead(200, { "content-type": "text/html" }).end(PAGE)
    } else response.writeHead(404).end()
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  return { url: `http://localhost:${address.port}/`, server }
}
