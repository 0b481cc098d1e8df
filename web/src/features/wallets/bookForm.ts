import type { Refusal } from "../../lib/api.ts"

/** What the form of a new address holds. */
export interface BookForm {
  address: string
  label: string
  out_password: string
}

export const START: BookForm = { address: "", label: "", out_password: "" }
export const MOST_LABEL = 32

/** The fields in the order in which they stand. */
export const FIELDS = Object.keys(START) as (keyof BookForm)[]

/** A label as the server keeps and counts it. */
export const labelOf = (text: string): string => text.normalize("NFC").trim()

const REFUSED: Record<string, keyof BookForm> = {
  invalid_address: "address",
  house_address: "address",
  already_exists: "address",
  wrong_out_password: "out_password",
}

/** The field that a refusal is about; none where the whole book is. */
export function fieldOf(refusal: Refusal): keyof BookForm | undefined {
  const wrong = refusal.dataOf("invalid_input")?.errors[0]
  return wrong?.field === "label" ? "label" : REFUSED[refusal.error]
}
