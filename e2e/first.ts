/** Make the first start that browser tests begin on, in the folder that `KALOS_E2E_FIRST` names. */
import { rename } from "node:fs/promises"
import { FIRST, Product } from "./support/product.ts"

const folder = process.env[FIRST]
if (!folder) throw new Error(`${FIRST} names no folder`)
delete process.env[FIRST]
await rename(await Product.startFirst(), folder)
