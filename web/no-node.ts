/** Stands in for Node's own modules that a library asks for only outside browsers. */
export const webcrypto = undefined
