interface Change {
  target: { value: string }
}

/** What a field's change hands on: its text. */
export const textFrom =
  (take: (text: string) => void) =>
  ({ target }: Change): void =>
    take(target.value)
