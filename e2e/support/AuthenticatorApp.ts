/** What makes the second factor's codes on a member's phone. */
import { createHmac } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"

const STEP_MS = 30_000

/** An authenticator: a code counts once, and a step's end may come before it is judged. */
export class AuthenticatorApp {
  private readonly key: Buffer
  private used = 0

  constructor(secret: string) {
    const bits = [...secret].map((sign) =>
      "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(sign).toString(2).padStart(5, "0"),
    )
    this.key = Buffer.from(
      bits
        .join("")
        .match(/.{8}/g)
        ?.map((byte) => Number.parseInt(byte, 2)) ?? [],
    )
  }

  /** Now's code, or where that was given already the next one's, as soon as the server takes it: a step early. */
  async code(): Promise<string> {
    this.used = Math.max(Math.floor(Date.now() / STEP_MS), this.used + 1)
    await sleep(Math.max(0, (this.used - 1) * STEP_MS - Date.now()))
    const counter = Buffer.alloc(8)
    counter.writeBigUInt64BE(BigInt(this.used))
    const mac = createHmac("sha1", this.key).update(counter).digest()
    const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff
    return String(number % 1_000_000).padStart(6, "0")
  }
}
