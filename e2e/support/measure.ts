/** `node e2e/support/measure.ts ROUNDS`: prints the figures of F1 and F2 as JSON, for bench/web.py. */

import { measure } from "../lab/lighthouse.ts"
import { builtPeer, zipped } from "./peers.ts"
import { Product } from "./product.ts"

const rounds = Number(process.argv[2] ?? 5)
const product = await Product.start()
try {
  const bare = zipped(await builtPeer("routed"))
  process.stdout.write(
    `${JSON.stringify({ bare, rounds: await measure(product, rounds, ["login", "home", "peer"]) })}\n`,
  )
} finally {
  await product.stop()
}
