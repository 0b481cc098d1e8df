import { Refusal } from "../../lib/api.ts"
import { isAboutCode } from "../../lib/secondFactor.ts"

/** The field of a form that a refusal is told at; undefined where it is told above the button. */
export function fieldIn<F extends string>(
  fields: Readonly<Record<string, F>>,
  problem: Error | null,
): F | undefined {
  return problem instanceof Refusal && Object.hasOwn(fields, problem.error)
    ? fields[problem.error]
    : undefined
}

/** What of a failed step is told above its button: all but what stands at one of these fields or at the second factor. */
export const untold = (fields: Readonly<Record<string, string>>, problem: Error | null): Error | null =>
  fieldIn(fields, problem) !== undefined || isAboutCode(problem) ? null : problem
