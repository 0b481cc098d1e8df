/** The product's mark: three cells of a ribbon, the last one lit and framed like a deciding digit. */
export function Mark() {
  return (
    <svg viewBox="0 0 58 34" className="h-8 w-auto" aria-hidden="true">
      <rect x="0" y="6" width="14" height="22" rx="4" className="fill-s2" />
      <rect x="17" y="6" width="14" height="22" rx="4" className="fill-s3" />
      <rect x="36.5" y="4.5" width="18" height="25" rx="5" className="fill-brand" />
      <rect
        x="34"
        y="2"
        width="23"
        height="30"
        rx="7.5"
        className="stroke-brand-text"
        strokeWidth="2"
        fill="none"
      />
    </svg>
  )
}
