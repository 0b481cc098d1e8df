/**
 * One product for all files that only use it, with two API processes behind one address: nothing that a page needs may
 * live in the memory of one. Started before the first file, ended after the last.
 */
import { Pair } from "./pair.ts"
import { Product, SHARED } from "./product.ts"

let pair: Pair | undefined
let product: Product | undefined

export async function globalSetup(): Promise<void> {
  pair = await Pair.listen()
  product = await Product.start({ PUBLIC_URL: pair.url })
  try {
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
  try {
    await pair?.end()
  } finally {
    await product?.stop()
  }
}
