const FRESH = 5000

/** Answers asked for before anybody needed them: each is taken once, and only while it is young. */
export class Ahead<Answer> {
  private readonly asked = new Map<string, { at: number; answer: Promise<Answer> }>()

  put(key: string, answer: Promise<Answer>): void {
    this.asked.set(key, { at: Date.now(), answer })
    // A failure shows where the answer is taken.
    answer.catch(() => undefined)
  }

  take(key: string): Promise<Answer> | null {
    const found = this.asked.get(key)
    this.asked.delete(key)
    return found !== undefined && Date.now() - found.at < FRESH ? found.answer : null
  }
}
