interface Props {
  label: string
  options: { label: string; onPress: () => void; disabled?: boolean }[]
}

/** Quick amounts under a figure: each press does something at once. */
export function QuickKeys({ label, options }: Props) {
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{label}</legend>
      <div className="flex flex-wrap gap-2">
        {options.map((option) => (
          <button
            key={option.label}
            type="button"
            disabled={option.disabled}
            onClick={option.onPress}
            className="min-h-11 min-w-fit flex-1 rounded-chip bg-s2 px-1 text-body active:bg-s3 disabled:text-t3"
          >
            {option.label}
          </button>
        ))}
      </div>
    </fieldset>
  )
}
