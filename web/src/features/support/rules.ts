export const LONGEST_SUBJECT = 80
export const LONGEST_TEXT = 2_000
export const MOST_PICTURES = 4

/** As the wire takes it, which refuses control characters: line by line. */
export const linesOf = (text: string): string[] => text.trim().split(/\r?\n/)

/** A message with the app's details below it, as far as both are short enough together; the message comes first. */
export function withDetails(text: string, details: string): string {
  const message = text.trim()
  const whole = `${message}\n\n${details}`
  return whole.length <= LONGEST_TEXT ? whole : message
}
