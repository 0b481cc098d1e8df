import { useState } from "react"
import { Segmented } from "../ui/Segmented.tsx"
import { TextLink } from "../ui/TextLink.tsx"
import { CorrectionForm } from "./CorrectionForm.tsx"
import { IssueForm } from "./IssueForm.tsx"
import { PriceForm } from "./PriceForm.tsx"
import { Submission } from "./Submission.tsx"

type Kind = "correction" | "price" | "issue"
const KINDS = [
  { value: "correction", label: "Correction" },
  { value: "price", label: "Price" },
  { value: "issue", label: "Issue of KLS" },
] as const

/** A correction of the books, another price, or an issue of KLS; settings and switches are changed where they stand. */
export function NewCommand({ onDone }: { onDone: () => void }) {
  const [kind, setKind] = useState<Kind>("correction")
  const [body, setBody] = useState<object | null>(null)
  const [isChecked, setChecked] = useState(false)
  if (body !== null && isChecked)
    return <Submission kind={kind} body={body} onDone={onDone} onBack={() => setChecked(false)} />
  const look = (made: object) => {
    setBody(made)
    setChecked(true)
  }
  return (
    <>
      <div className="mt-4">
        <Segmented
          label="Kind"
          options={KINDS}
          value={kind}
          onChange={(chosen) => {
            setKind(chosen)
            setBody(null)
          }}
        />
      </div>
      {kind === "correction" && <CorrectionForm before={body} onDone={look} />}
      {kind === "price" && <PriceForm before={body} onDone={look} />}
      {kind === "issue" && <IssueForm before={body} onDone={look} />}
      <p className="mt-6 text-small text-t3">
        Numbers change on the page of <TextLink to="/settings">settings</TextLink>, features on that of{" "}
        <TextLink to="/switches">country switches</TextLink>.
      </p>
    </>
  )
}
