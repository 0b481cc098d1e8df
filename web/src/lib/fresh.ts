/** An answer is not asked for again within so many milliseconds. */
export const FRESH = 5_000
