/** Two API processes of one house behind one address, where each request goes to the next of those that live. */
import { type ChildProcess, spawn } from "node:child_process"
import { closeSync, openSync } from "node:fs"
import { stat } from "node:fs/promises"
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort, type Product, PYTHON, ROOT } from "./product.ts"

const READY_SECONDS = 60
const LOOPBACK = "127.0.0.1"

export class Pair {
  readonly url: string
  /** The page's calls in the order of their answers, each with the port that gave it. */
  readonly answered: { path: string; port: number }[] = []
  /** The product's own process, and the one beside it. */
  ports: number[] = []
  private readonly server: Server
  private beside: ChildProcess | undefined
  private turn = 0

  private constructor(server: Server, port: number) {
    this.server = server
    this.url = `http://localhost:${port}`
    server.on("request", async (asked, answer) => {
      const body = await buffer(asked).catch(() => null)
      if (body !== null) this.passOn(asked, body, answer)
    })
  }

  /** An address before nobody yet: the house must know it before it starts. */
  static async listen(): Promise<Pair> {
    const [server, port] = [createServer({ keepAliveTimeout: 0 }), await freePort()] // a caller may stand still
    await new Promise<void>((done) => server.listen(port, LOOPBACK, done))
    return new Pair(server, port)
  }

  /** Start a further API process beside the product's own, and stand before both. */
  async begin(product: Product): Promise<void> {
    const [port, metrics] = [await freePort(), await freePort()]
    // Whom the product's own parts belong to, where root started it.
    const { uid, gid } = await stat(join(product.folder, "secrets.json"))
    const log = openSync(join(product.folder, "logs", "api-beside.log"), "a")
    this.beside = spawn(PYTHON, ["-m", "kalos.app.cli", "api"], {
      cwd: ROOT,
      env: {
        ...process.env,
        ...{ PORT: String(port), METRICS_PORT: String(metrics), PUBLIC_URL: this.url },
        ...{ DATA_DIR: product.folder, LOG_LEVEL: "debug" },
      },
      stdio: ["ignore", log, log],
      ...(uid !== process.getuid?.() && { uid, gid }),
    })
    closeSync(log)
    const until = Date.now() + READY_SECONDS * 1000
    while (!(await isReady(port))) {
      if (hasEnded(this.beside) || Date.now() > until)
        throw new Error("the second API process does not get ready")
      await sleep(100)
    }
    this.ports = [Number(new URL(product.url).port), port]
  }

  /** End the second process as a fault would. */
  async kill(): Promise<void> {
    const { beside } = this
    if (beside === undefined || hasEnded(beside)) return
    const ended = new Promise((done) => beside.on("exit", done))
    beside.kill("SIGKILL")
    await ended
  }

  async end(): Promise<void> {
    await this.kill()
    this.server.closeAllConnections()
    await new Promise((done) => this.server.close(done))
  }

  /** A call that was sent is never sent again: another process is asked only where no connection could be made. */
  private passOn(asked: IncomingMessage, body: Buffer, answer: ServerResponse): void {
    const { method, url: path, rawHeaders: headers } = asked
    const [first, ...others] = this.next()
    const ask = (port: number | undefined) => {
      if (port === undefined) return void answer.writeHead(502).end()
      const further = request({ host: LOOPBACK, port, method, path, headers, agent: false, setHost: false })
      further.on("response", (came) => {
        if (path?.startsWith("/api/")) this.answered.push({ path, port })
        answer.writeHead(came.statusCode ?? 502, came.rawHeaders)
        came.on("error", () => answer.destroy())
        came.pipe(answer)
      })
      further.on("error", (problem) => {
        if ("code" in problem && problem.code === "ECONNREFUSED") ask(others.shift())
        else answer.destroy()
      })
      answer.on("close", () => further.destroy())
      further.end(body)
    }
    ask(first)
  }

  /** The ports, beginning with the one whose turn it is. */
  private next(): number[] {
    const at = this.turn++ % Math.max(1, this.ports.length)
    return [...this.ports.slice(at), ...this.ports.slice(0, at)]
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://${LOOPBACK}:${port}/readyz`)).status === 200
  } catch {
    return false
  }
}
