/** One product for all files that only use it: started before the first of them, ended after the last. */
import { Product, SHARED } from "./product.ts"

let product: Product | undefined

export async function globalSetup(): Promise<void> {
  product = await Product.start()
  process.env[SHARED] = JSON.stringify({ url: product.url, folder: product.folder })
}

export async function globalTeardown(): Promise<void> {
  try {
    await product?.stop()
  } catch (problem) {
    // Thrown from here it would end the run without a word.
    process.stderr.write(`${problem}\n`)
    process.exitCode = 1
  }
}
