// `node complete-lock.mjs [FOLDER]` completes FOLDER's package-lock.json after npm: binaries of other platforms that a registry mirror lacks are left out by npm,
// and `npm ci` then refuses the lock. Each gets an entry with the platform that its name states. Addresses go.
import { readFileSync, writeFileSync } from "node:fs"
import { resolve } from "node:path"

const place = resolve(process.argv[2] ?? import.meta.dirname, "package-lock.json")
const lock = JSON.parse(readFileSync(place, "utf8"))

const systems = [
  "linux",
  "darwin",
  "win32",
  "android",
  "freebsd",
  "openbsd",
  "netbsd",
  "sunos",
  "aix",
  "openharmony",
]
const processors = {
  amd64: "x64",
  x64: "x64",
  arm64: "arm64",
  aarch64: "arm64",
  arm: "arm",
  ia32: "ia32",
  wasm32: "wasm32",
  ppc64: "ppc64",
  s390x: "s390x",
  riscv64: "riscv64",
  loong64: "loong64",
  mips64el: "mips64el",
}

/** The fields by which npm decides that a package is not for this machine. */
function platform(name) {
  const words = name.split(/[-/]/)
  const os = systems.find((system) => words.includes(system))
  const cpu = Object.keys(processors).find((word) => words.includes(word))
  if (!cpu) throw new Error(`${name}: its name states no processor`)
  const libc = words.some((word) => word.startsWith("musl"))
    ? ["musl"]
    : words.includes("gnu")
      ? ["glibc"]
      : undefined
  return { cpu: [processors[cpu]], ...(os && { os: [os] }), ...(libc && { libc }) }
}

for (const [path, entry] of Object.entries(lock.packages)) {
  delete entry.funding
  delete entry.resolved
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const known = [`${path}/node_modules/${name}`, `node_modules/${name}`].some(
      (place) => lock.packages[place],
    )
    if (!known)
      lock.packages[`node_modules/${name}`] = { version, ...platform(name), optional: true, dev: entry.dev }
  }
}
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([one], [other]) => (one < other ? -1 : 1)),
)
writeFileSync(place, `${JSON.stringify(lock, null, 2)}\n`)
