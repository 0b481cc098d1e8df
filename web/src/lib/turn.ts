/** Let the browser do what waits, a press first of all, before a piece of work that takes a while on a phone. */
export const turn = (): Promise<void> => new Promise((done) => setTimeout(done))
