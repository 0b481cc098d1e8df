/** The product as a newcomer starts it: `make run`'s own command on a free port and a folder of its own. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { appendFileSync } from "node:fs"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import type { Answer, Body, Data, Path } from "../../web/src/lib/calls.ts"
import { leaksIn } from "./canary.ts"

export const ROOT = resolve(import.meta.dirname, "../..")
export const PYTHON = join(ROOT, ".venv/bin/python")
const READY_SECONDS = 120
const STOP_SECONDS = 20
const LOWEST_PORT = 20_000
const PORTS = 12_000
const STRETCH = 8
let offered = 0

/** The variable that says where the product stands that several files share. */
export const SHARED = "KALOS_E2E_PRODUCT"

/** The variable that says where the data of a first start lie: one on a copy of them takes a third of its time. */
export const FIRST = "KALOS_E2E_FIRST"

/** Where a file of the product's folder names what its tests typed. */
const TYPED = "typed.txt"

/** What a first start tells whoever started it: the demo's accounts. */
const ACCOUNTS = /^ {2}(\d{8}|operator|reviewer) .*$/gm

/** Runs a statement with these words in the product's own database: what else takes minutes is over at once. */
const CHANGE = `
import asyncio, os, sys
from kalos.app.settings import load_settings
from kalos.core.database import Database

async def main():
    db = Database(load_settings(os.environ).app_url, size=1)
    await db.execute(*sys.argv[1:])
    await db.close()

asyncio.run(main())
`

interface Said {
  code: number | null
  said: string
}

/** What a process needs to use a product that another one started. */
export interface Place {
  url: string
  folder: string
}

export class Product {
  readonly url: string
  readonly folder: string
  /** Null where another process started it, and ends it. */
  private readonly group: ChildProcess | null
  /** What this product's own process has printed. */
  private said = ""

  constructor({ url, folder }: Place, group: ChildProcess | null = null) {
    this.url = url
    this.folder = folder
    this.group = group
  }

  /** Start everything and wait until it can serve, on a copy of a first start's data where there is one; `settings`
   * besides its own. */
  static async start(settings: Record<string, string> = {}): Promise<Product> {
    const port = await freePort()
    const folder = await mkdtemp(join(tmpdir(), "kalos-e2e-"))
    const first = process.env[FIRST]
    // Whom its files belong to is whom the parts run as.
    if (first) await promisify(execFile)("cp", ["-a", `${first}/.`, folder])
    const group = spawn(PYTHON, ["-m", "kalos.app.cli", "run"], {
      cwd: ROOT,
      env: { ...process.env, PORT: String(port), DATA_DIR: folder, LOG_LEVEL: "debug", ...settings },
      stdio: ["ignore", "pipe", "pipe"],
    })
    const product = new Product({ url: `http://localhost:${port}`, folder }, group)
    for (const printed of [group.stdout, group.stderr]) printed?.on("data", (part) => (product.said += part))
    const until = Date.now() + READY_SECONDS * 1000
    while (!(await product.isReady())) {
      if (group.exitCode !== null || Date.now() > until) {
        await product.stop()
        throw new Error(`the product does not get ready:\n${product.said}`)
      }
      await sleep(200)
    }
    return product
  }

  /** Start one from nothing and end it again; gives the folder with its data, without its logs and its ports: copies
   * that start side by side would all find those free. */
  static async startFirst(): Promise<string> {
    const product = await Product.start()
    try {
      await product.end()
      for (const own of ["logs", "ports.json"]) await rm(join(product.folder, own), { recursive: true })
    } catch (problem) {
      await rm(product.folder, { recursive: true, force: true })
      throw problem
    }
    return product.folder
  }

  /** One plain call, as demo mode takes them: its helpers, and what makes a member; a journey goes by the page. */
  async call<P extends Path>(path: P, body: Body<P>, token = ""): Promise<Data<P>> {
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
  command(...words: string[]): Promise<Said> {
    return this.python(["-m", "kalos.app.cli", ...words])
  }

  /** Let somebody work in the console; gives the authenticator's secret. */
  async hire(name: string, roles: string, password: string): Promise<string> {
    const words = ["-m", "kalos.app.cli", "staff", "add", name, "--roles", roles]
    const { code, said } = await this.python(words, `${password}\n`)
    if (code !== 0) throw new Error(said)
    const [secret = ""] = said.match(/^[A-Z2-7]{32}$/m) ?? []
    for (const one of [password, secret]) this.hide(one)
    return secret
  }

  /** As if the wait after the last mail with a code to this address were over. */
  async endCodeGap(email: string): Promise<void> {
    // A stranger's and the owner's are counted apart.
    await this.change("DELETE FROM tries WHERE starts_with(subject, $1)", `code-gap:${email}`)
  }

  /** As if the time for this slide were over, and it swept away. */
  async expireSlide(id: string): Promise<void> {
    await this.change("DELETE FROM slides WHERE id = $1", id)
  }

  /** As if nobody had looked at the reserves yet: the next look comes within ten seconds. */
  async lookAtReserves(): Promise<void> {
    await this.change("UPDATE reserve_state SET begun_at = 0, at = NULL")
  }

  private async change(statement: string, ...words: string[]): Promise<void> {
    const { code, said } = await this.python(["-c", CHANGE, statement, ...words])
    if (code !== 0) throw new Error(said)
  }

  private async python(words: readonly string[], typed = ""): Promise<Said> {
    const child = spawn(PYTHON, words, {
      cwd: ROOT,
      env: { ...process.env, PORT: new URL(this.url).port, DATA_DIR: this.folder },
    })
    let said = ""
    child.stdout.on("data", (part) => (said += part))
    child.stderr.on("data", (part) => (said += part))
    child.stdin.end(typed)
    const code = await new Promise<number | null>((done) => child.on("close", done))
    return { code, said }
  }

  /** A password or token: no log may show it. */
  hide(secret: string): void {
    appendFileSync(join(this.folder, TYPED), `${secret}\n`)
  }

  /** End the API's process, as a deploy does; it is started again and reads the page's build anew. */
  async restartApi(): Promise<void> {
    const pid = this.group?.pid
    const children = (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).trim()
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

  /** What that node answers. */
  async askNode(method: string, ...params: unknown[]) {
    const headers = { "content-type": "application/json" }
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
    const answer = await (await fetch(await this.node(), { method: "POST", headers, body })).json()
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result
  }

  /** Where a coin's contract stands on the local chain. */
  async contract(asset: "USDT" | "KLS"): Promise<string> {
    return JSON.parse(await readFile(join(this.folder, "chain/contracts.json"), "utf8")).addresses[asset]
  }

  /** Hold what mines the local chain: while `then` runs no block comes but those that it has mined. */
  async withoutBlocks(then: () => Promise<void>): Promise<void> {
    const pid = await this.pidOf("tick")
    process.kill(pid, "SIGSTOP")
    try {
      await then()
    } finally {
      process.kill(pid, "SIGCONT")
    }
  }

  /** One of its processes, also where another process started it. */
  private async pidOf(part: string): Promise<number> {
    const found = (await this.processes()).find(({ words }) => words.includes(part))
    if (found === undefined) throw new Error(`no process is ${part}`)
    return found.pid
  }

  private async processes(): Promise<{ pid: number; words: string[] }[]> {
    const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name))
    const read = async (pid: string, file: string) =>
      (await readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "")).split("\0")
    const all = await Promise.all(
      pids.map(async (pid) => ({ pid, words: await read(pid, "cmdline"), told: await read(pid, "environ") })),
    )
    return all
      .filter(({ told }) => told.includes(`DATA_DIR=${this.folder}`))
      .map(({ pid, words }) => ({ pid: Number(pid), words }))
  }

  /** End it where this process started it, and leave nothing of it. Throws where it printed or logged a secret. */
  async stop(): Promise<void> {
    try {
      await this.end()
    } finally {
      if (this.group) await rm(this.folder, { recursive: true, force: true })
    }
  }

  private async end(): Promise<void> {
    const { group } = this
    if (group?.exitCode === null) {
      const ended = new Promise((done) => group.on("exit", done))
      group.kill("SIGTERM")
      // Else this process would wait as long, however soon the group has ended.
      const tooLong = sleep(STOP_SECONDS * 1000, true, { ref: false })
      if (await Promise.race([ended.then(() => false), tooLong])) await this.kill(group)
    }
    const leaks = await this.leaks()
    if (leaks.length > 0) throw new Error(`what it wrote shows a secret:\n${leaks.join("\n")}`)
  }

  /** End it at once; what it started ends a moment later, and writes until then. */
  private async kill(group: ChildProcess): Promise<void> {
    group.kill("SIGKILL")
    const until = Date.now() + STOP_SECONDS * 1000
    for (let left = await this.processes(); left.length > 0; left = await this.processes()) {
      if (Date.now() > until) for (const { pid } of left) process.kill(pid, "SIGKILL")
      await sleep(100)
    }
  }

  /** The lines of its logs, and of what it has printed, that show a secret. */
  async leaks(): Promise<string[]> {
    const logs = join(this.folder, "logs")
    const kept: Record<string, string> = JSON.parse(await readFile(join(this.folder, "secrets.json"), "utf8"))
    const typed = await readFile(join(this.folder, TYPED), "utf8").catch(() => "")
    const secrets = [...typed.split("\n").filter(Boolean), ...Object.values(kept)]
    const texts = (await readdir(logs)).map(async (name) =>
      leaksIn(await readFile(join(logs, name), "utf8"), secrets),
    )
    return [...leaksIn(this.said.replace(ACCOUNTS, ""), secrets), ...(await Promise.all(texts)).flat()]
  }

  private async isReady(): Promise<boolean> {
    try {
      return (await fetch(`${this.url}/readyz`)).status === 200
    } catch {
      return false
    }
  }
}

/**
 * A port of the loopback that nobody listens on, from a stretch of this process's own and below those that the system
 * gives to whoever asks for any: files that start products side by side choose others.
 */
export async function freePort(): Promise<number> {
  for (let step = 0; step < PORTS; step++) {
    const port = LOWEST_PORT + ((process.pid * STRETCH + offered++) % PORTS)
    if (await isFree(port)) return port
  }
  throw new Error(`no port from ${LOWEST_PORT} on is free`)
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const probe = createServer()
    probe.on("error", () => done(false))
    probe.listen(port, "127.0.0.1", () => probe.close(() => done(true)))
  })
