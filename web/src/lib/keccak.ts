const RATE = 136
const LANES = 25
const ROUNDS = 24
const mask = (lane: bigint) => BigInt.asUintN(64, lane)
const turned = (lane: bigint, by: number) => mask((lane << BigInt(by)) | (lane >> BigInt(64 - by)))

/** Keccak-256 as Ethereum uses it (padding 0x01), for texts shorter than one block. Source: FIPS 202, section 3.2. */
export function keccak256(text: string): string {
  const block = new Uint8Array(RATE)
  const bytes = new TextEncoder().encode(text)
  if (bytes.length >= RATE) throw new Error("longer than one block")
  block.set(bytes)
  block[bytes.length] = 0x01
  block[RATE - 1] = (block[RATE - 1] ?? 0) | 0x80
  const lanes = new BigUint64Array(LANES)
  const view = new DataView(block.buffer)
  for (let index = 0; index < RATE / 8; index++) lanes[index] = view.getBigUint64(index * 8, true)
  permute(lanes)
  const out = new DataView(new ArrayBuffer(32))
  for (let index = 0; index < 4; index++) out.setBigUint64(index * 8, lanes[index] ?? 0n, true)
  return [...new Uint8Array(out.buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("")
}

function permute(state: BigUint64Array): void {
  const lane = (x: number, y: number) => state[(x % 5) + 5 * (y % 5)] ?? 0n
  let feedback = 1
  for (let round = 0; round < ROUNDS; round++) {
    const sums = [0, 1, 2, 3, 4].map((x) => [0, 1, 2, 3, 4].reduce((sum, y) => sum ^ lane(x, y), 0n))
    for (let index = 0; index < LANES; index++) {
      const x = index % 5
      state[index] =
        lane(x, Math.floor(index / 5)) ^ (sums[(x + 4) % 5] ?? 0n) ^ turned(sums[(x + 1) % 5] ?? 0n, 1)
    }
    let [x, y, moved] = [1, 0, lane(1, 0)]
    for (let step = 0; step < ROUNDS; step++) {
      ;[x, y] = [y, (2 * x + 3 * y) % 5]
      const next = lane(x, y)
      state[x + 5 * y] = turned(moved, (((step + 1) * (step + 2)) / 2) % 64)
      moved = next
    }
    const old = state.slice()
    for (let index = 0; index < LANES; index++) {
      const [row, x] = [index - (index % 5), index % 5]
      const after = old[row + ((x + 1) % 5)] ?? 0n
      state[index] = (old[index] ?? 0n) ^ (mask(~after) & (old[row + ((x + 2) % 5)] ?? 0n))
    }
    let constant = 0n
    for (let bit = 0; bit < 7; bit++) {
      if (feedback & 1) constant |= 1n << BigInt(2 ** bit - 1)
      feedback = feedback & 0x80 ? (feedback << 1) ^ 0x171 : feedback << 1
    }
    state[0] = lane(0, 0) ^ constant
  }
}
