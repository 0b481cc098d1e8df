/** The product as a newcomer starts it: `make run`'s own command on a free port and a folder of its own. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Answer, Body, Data, Path } from "../../web/src/lib/calls.ts"
import { leaksIn } from "./canary.ts"

const ROOT = resolve(import.meta.dirname, "../..")
const PYTHON = join(ROOT, ".venv/bin/python")
const READY_SECONDS = 120
const STOP_SECONDS = 20

/** A helper call of demo mode. */
type DemoPath = Extract<Path, `/api/demo/${string}`>

export class Product {
  readonly url: string
  /** Passwords and tokens of this run: no log may show them. */
  readonly secrets = new Set<string>()
  private readonly group: ChildProcess
  private readonly folder: string

  private constructor(url: string, group: ChildProcess, folder: string) {
    this.url = url
    this.group = group
    this.folder = folder
  }

  /** Start everything and wait until it can serve; `settings` besides its own. */
  static async start(settings: Record<string, string> = {}): Promise<Product> {
    const port = await freePort()
    const folder = await mkdtemp(join(tmpdir(), "kalos-e2e-"))
    const group = spawn(PYTHON, ["-m", "kalos.app.cli", "run"], {
      cwd: ROOT,
      env: { ...process.env, PORT: String(port), DATA_DIR: folder, LOG_LEVEL: "debug", ...settings },
      stdio: ["ignore", "pipe", "pipe"],
    })
    let said = ""
    group.stdout?.on("data", (part) => (said += part))
    group.stderr?.on("data", (part) => (said += part))
    const product = new Product(`http://localhost:${port}`, group, folder)
    const until = Date.now() + READY_SECONDS * 1000
    while (!(await product.isReady())) {
      if (group.exitCode !== null || Date.now() > until) {
        await product.stop()
        throw new Error(`the product does not get ready:\n${said}`)
      }
      await sleep(200)
    }
    return product
  }

  /** One helper call of demo mode: the only calls that a journey makes past the page. */
  async demo<P extends DemoPath>(path: P, body: Body<P>, token = ""): Promise<Data<P>> {
    const response = await fetch(`${this.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(token && { authorization: token }) },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as Answer<P>
    if (answer.code !== 200) throw new Error(`${path}: ${answer.code} ${answer.msg}`)
    return answer.data as Data<P>
  }

  /** Run a command of the product on the same data; gives its exit code and what it printed. */
  async command(...words: string[]): Promise<{ code: number | null; said: string }> {
    const child = spawn(PYTHON, ["-m", "kalos.app.cli", ...words], {
      cwd: ROOT,
      env: { ...process.env, PORT: new URL(this.url).port, DATA_DIR: this.folder },
    })
    let said = ""
    child.stdout.on("data", (part) => (said += part))
    child.stderr.on("data", (part) => (said += part))
    child.stdin.end()
    const code = await new Promise<number | null>((done) => child.on("close", done))
    return { code, said }
  }

  /** End the API's process, as a deploy does; it is started again and reads the page's build anew. */
  async restartApi(): Promise<void> {
    const children = (
      await readFile(`/proc/${this.group.pid}/task/${this.group.pid}/children`, "utf8")
    ).trim()
    for (const pid of children.split(" ")) {
      const command = (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0")
      if (command.includes("api")) process.kill(Number(pid), "SIGKILL")
    }
    while (await this.isReady()) await sleep(20)
    while (!(await this.isReady())) await sleep(50)
  }

  /** Write a file beside the product's data; gives its path. */
  async keep(name: string, text: string): Promise<string> {
    const place = join(this.folder, name)
    await writeFile(place, text)
    return place
  }

  /** The address of the local chain's node. */
  async node(): Promise<string> {
    const ports = JSON.parse(await readFile(join(this.folder, "ports.json"), "utf8"))
    return `http://127.0.0.1:${ports.chain}`
  }

  /** End everything. Throws where one of its logs shows a secret. */
  async stop(): Promise<void> {
    if (this.group.exitCode === null) {
      const ended = new Promise((done) => this.group.on("exit", done))
      this.group.kill("SIGTERM")
      await Promise.race([ended, sleep(STOP_SECONDS * 1000).then(() => this.group.kill("SIGKILL"))])
    }
    const leaks = await this.leaks()
    await rm(this.folder, { recursive: true, force: true })
    if (leaks.length > 0) throw new Error(`a log shows a secret:\n${leaks.join("\n")}`)
  }

  /** The lines of its logs that show a secret. */
  async leaks(): Promise<string[]> {
    const logs = join(this.folder, "logs")
    const kept: Record<string, string> = JSON.parse(await readFile(join(this.folder, "secrets.json"), "utf8"))
    const secrets = [...this.secrets, ...Object.values(kept)]
    const texts = (await readdir(logs)).map(async (name) =>
      leaksIn(await readFile(join(logs, name), "utf8"), secrets),
    )
    return (await Promise.all(texts)).flat()
  }

  private async isReady(): Promise<boolean> {
    try {
      return (await fetch(`${this.url}/readyz`)).status === 200
    } catch {
      return false
    }
  }
}

/** A port of the loopback that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((done) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() => done(typeof address === "object" && address ? address.port : 0))
    })
  })
}
