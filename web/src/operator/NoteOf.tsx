/** What stands beside a correction, for good: whoever signs it reads it first. */
export function NoteOf({ body }: { body: object }) {
  const note = "note" in body && typeof body.note === "string" ? body.note : ""
  if (note === "") return null
  return (
    <>
      <h3 className="mt-5 font-semibold">Note</h3>
      <p className="mt-1 break-words whitespace-pre-wrap text-t2">{note}</p>
    </>
  )
}
