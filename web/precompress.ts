import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import type { Plugin } from "vite"

const TEXT = /\.(js|css|html|svg|json|webmanifest|txt)$/
const SMALLEST = 1024

/** Write a .br and a .gz twin beside each text file of the build, for the server to choose from. */
export function precompress(): Plugin {
  let folder = ""
  let written = false
  return {
    name: "precompress",
    // The gallery is only looked at.
    apply: (_config, { command, mode }) => command === "build" && mode !== "gallery",
    configResolved(config) {
      folder = config.build.outDir
    },
    writeBundle() {
      written = true
    },
    closeBundle: {
      order: "post",
      sequential: true,
      async handler() {
        // A build that failed has nothing to compress, and its own error to tell.
        if (!written) return
        const names = await readdir(folder, { recursive: true })
        await Promise.all(names.filter((name) => TEXT.test(name)).map((name) => twin(join(folder, name))))
      },
    },
  }
}

async function twin(path: string): Promise<void> {
  const body = await readFile(path)
  if (body.length < SMALLEST) return
  const brotli = {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
  }
  await writeFile(`${path}.br`, await promisify(brotliCompress)(body, brotli))
  await writeFile(`${path}.gz`, await promisify(gzip)(body, { level: 9 }))
}
