/** What stands for the network of a log-in wallet: its key is the same on all that are of this kind. */
export const ANY_NETWORK = "EVM"
