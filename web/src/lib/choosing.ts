let chosen: string | undefined

/** /address3 chose this entry of the book for the withdrawal that asked for one. */
export function choose(id: string): void {
  chosen = id
}

/** What was chosen, once. */
export function takeChosen(): string | undefined {
  const id = chosen
  chosen = undefined
  return id
}
