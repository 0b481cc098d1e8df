/**
 * One product for all files that only use it, with two API processes behind one address: nothing that a page needs may
 * live in the memory of one. Started before the first file, ended after the last. It and what other files start for
 * themselves begin on copies of one first start, made here where `make test` hasn't made it beforehand.
 */
import { rm } from "node:fs/promises"
import { Pair } from "./pair.ts"
import { FIRST, Product, SHARED } from "./product.ts"

let own: string | undefined
let pair: Pair | undefined
let product: Product | undefined

export async function globalSetup(): Promise<void> {
  try {
    if (!process.env[FIRST]) process.env[FIRST] = own = await Product.startFirst()
    pair = await Pair.listen()
    product = await Product.start({ PUBLIC_URL: pair.url })
    await pair.begin(product)
  } catch (problem) {
    // Nobody else ends what a failed start leaves.
    await end()
    throw problem
  }
  process.env[SHARED] = JSON.stringify({ url: pair.url, folder: product.folder })
}

export async function globalTeardown(): Promise<void> {
  try {
    await end()
  } catch (problem) {
    // Thrown from here it would end the run without a word.
    process.stderr.write(`${problem}\n`)
    process.exitCode = 1
  }
}

async function end(): Promise<void> {
  if (own !== undefined) await rm(own, { recursive: true, force: true })
  try {
    await pair?.end()
  } finally {
    await product?.stop()
  }
}
