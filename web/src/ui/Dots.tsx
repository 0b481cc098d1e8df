const DOTS = 6

/** What stands for a hidden figure: always as many dots, each as wide as a digit, so that neither size nor place tells. */
export function Dots() {
  return (
    <span aria-hidden="true">
      {Array.from({ length: DOTS }, (_, index) => (
        <span key={index} className="inline-block w-[1ch] text-center">
          •
        </span>
      ))}
    </span>
  )
}
