/** One cell for each step, filled as they are done; the figures stand beside it. */
export function StepCells({ done, all }: { done: number; all: number }) {
  return (
    <div aria-hidden="true" className="grid auto-cols-fr grid-flow-col gap-[3px]">
      {Array.from({ length: all }, (_, index) => (
        <span key={index} className={`h-2 rounded-full ${index < done ? "bg-brand" : "bg-s3"}`} />
      ))}
    </div>
  )
}
