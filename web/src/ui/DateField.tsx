import { useLingui } from "@lingui/react/macro"
import { type ComponentProps, type FocusEvent, type ReactNode, type Ref, useId } from "react"
import { type DatePart, dateParts } from "../lib/dateParts.ts"
import { plainDigits } from "../lib/plainDigits.ts"
import { Icon } from "./Icon.tsx"

interface Props {
  label: string
  /** What was typed, year first: "2026-2-5", or as much of it as there is ("-2-"); `typedDay` reads it. */
  value: string
  onChange: (text: string) => void
  /** The focus has left all of its parts. */
  onBlur?: () => void
  error?: ReactNode
  /** A birth date: the browser may fill in the member's own. */
  birth?: boolean
  ref?: Ref<HTMLInputElement & HTMLSelectElement>
}

const PARTS = ["year", "month", "day"] as const
const BOX = {
  day: "flex-[1_1_4rem]",
  month: "flex-[3_1_7rem]",
  year: "flex-[1.4_1_5rem]",
} as const

/** A date in three parts, in the order and with the months' names of the app's own language; days and years are typed. */
export function DateField({ label, value, onChange, onBlur, error, birth, ref }: Props) {
  const { t } = useLingui()
  const id = useId()
  const { order, months } = dateParts()
  const typed = value.split("-")
  const names = { day: t`Day`, month: t`Month`, year: t`Year` }
  const wrong = error !== undefined && error !== ""
  const put = (part: DatePart, text: string) => {
    const next = PARTS.map((one, index) => (one === part ? text : (typed[index] ?? "")))
    onChange(next.join("") === "" ? "" : next.join("-"))
  }
  const leave = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) onBlur?.()
  }
  const common = (part: DatePart) => ({
    value: typed[PARTS.indexOf(part)] ?? "",
    "aria-label": names[part],
    "aria-invalid": wrong,
    autoComplete: birth ? (`bday-${part}` as const) : "off",
    ...(part === order[0] && ref !== undefined && { ref }),
  })
  const digits = (part: "day" | "year", most: number): ComponentProps<"input"> => ({
    ...common(part),
    inputMode: "numeric",
    placeholder: names[part],
    onChange: ({ target }) => put(part, plainDigits(target.value).replace(/\D/g, "").slice(0, most)),
    className: "w-full min-w-0 self-stretch bg-transparent px-3.5 text-t1 outline-none placeholder:text-t3",
  })
  return (
    <fieldset className="mt-4 min-w-0" aria-describedby={wrong ? `${id}-note` : undefined} onBlur={leave}>
      <legend className="mb-1.5 block text-small text-t3">{label}</legend>
      <div className="flex flex-wrap gap-2">
        {order.map((part) => (
          <div
            key={part}
            className={`relative flex min-h-[3.25rem] min-w-0 items-center rounded-chip bg-s2 ring-1 ring-inset transition-shadow duration-[120ms] focus-within:ring-2 focus-within:ring-brand-text ${wrong ? "ring-danger" : "ring-field"} ${BOX[part]}`}
          >
            {part === "month" ? (
              <>
                <select
                  {...common(part)}
                  onChange={({ target }) => put(part, target.value)}
                  className={`w-full min-w-0 appearance-none self-stretch rounded-chip bg-transparent pr-9 pl-3.5 outline-none ${common(part).value === "" ? "text-t3" : "text-t1"}`}
                >
                  <option value="">{names.month}</option>
                  {months.map((name, index) => (
                    <option key={name} value={index + 1}>
                      {name}
                    </option>
                  ))}
                </select>
                <Icon name="expand" size={5} className="pointer-events-none absolute right-2.5 text-t3" />
              </>
            ) : (
              <input {...digits(part, part === "day" ? 2 : 4)} />
            )}
          </div>
        ))}
      </div>
      {wrong && (
        <p id={`${id}-note`} className="mt-1.5 text-small text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
