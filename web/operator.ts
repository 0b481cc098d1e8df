import { resolve } from "node:path"
import { build, type Plugin } from "vite"

const PAGE = "/operator.html"

/**
 * The console, the second page of this product: built after the members' page, so that no file of that is another one
 * for it, and shown under /operator in development.
 */
export function operatorConsole(): Plugin {
  let root = ""
  let outDir = ""
  let written = false
  return {
    name: "operator-console",
    apply: (_config, { mode }) => mode !== "gallery" && mode !== "test",
    configResolved(config) {
      root = config.root
      outDir = resolve(config.root, config.build.outDir)
    },
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        if (/^\/operator(\/[^.]*)?$/.test(request.url ?? "")) request.url = PAGE
        next()
      })
    },
    writeBundle() {
      written = true
    },
    closeBundle: {
      sequential: true,
      async handler() {
        if (!written) return
        await build({ configFile: resolve(root, "operator.config.ts"), build: { outDir }, logLevel: "warn" })
      },
    },
  }
}
