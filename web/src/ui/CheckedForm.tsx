import { lazy, type ReactNode, Suspense, useState } from "react"
import type { FieldErrors, FieldValues, Path, UseFormReturn } from "react-hook-form"
import { Form } from "./Form.tsx"

interface Props<F extends FieldValues> {
  /** Made with `shouldFocusError: false`: where the focus goes is decided here. */
  form: UseFormReturn<F>
  /** Its fields in the order in which they stand. */
  order: readonly Path<F>[]
  onSubmit: (fields: F) => void
  children: ReactNode
}

// Only who sends a form with mistakes loads it.
const load = () => import("./FormSummary.tsx")
const FormSummary = lazy(async () => ({ default: (await load()).FormSummary }))

/** A form of several fields: sent with one mistake it takes the focus there, with more to a summary of all of them. */
export function CheckedForm<F extends FieldValues>({ form, order, onSubmit, children }: Props<F>) {
  const [tries, setTries] = useState(0)
  const { errors } = form.formState
  const refuse = async (wrong: FieldErrors<F>) => {
    const names = order.filter((name) => name in wrong)
    const summed = names.length > 1 && (await load().catch(() => null))
    if (summed) setTries((before) => before + 1)
    else if (names[0] !== undefined) form.setFocus(names[0])
  }
  const problems = order.flatMap((name) => {
    const text = errors[name]?.message
    return typeof text === "string" && text !== "" ? [{ name, text }] : []
  })
  return (
    <Form onSubmit={form.handleSubmit((fields) => onSubmit(fields), refuse)}>
      {tries > 0 && (
        <Suspense>
          <FormSummary
            tries={tries}
            problems={problems}
            onChoose={(name) => form.setFocus(name as Path<F>)}
          />
        </Suspense>
      )}
      {children}
    </Form>
  )
}
