import type { ReactNode } from "react"
import { Pressable } from "../ui/Pressable.tsx"

export interface Column<T> {
  head: string
  cell: (row: T) => ReactNode
  /** Figures: at the right, so that their points stand under each other. */
  right?: boolean
  /** Left out where there is no room for all. */
  wide?: boolean
}

interface Props<T> {
  label: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string
  /** What opens with a row; its name for readers is that of the first cell. */
  onOpen?: (row: T) => void
  opened?: string | null | undefined
}

/** Rows and columns; a row that can be opened is pressed anywhere. */
export function Table<T>({ label, columns, rows, keyOf, onOpen, opened }: Props<T>) {
  return (
    // A table wider than its place is scrolled by keys, too.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must take the focus
    <section aria-label={label} tabIndex={0} className="relative overflow-x-auto rounded-cell">
      <table className="w-full border-collapse text-left text-small">
        <thead>
          <tr className="border-b border-line text-caption text-t3">
            {columns.map(({ head, right, wide }) => (
              <th
                key={head}
                scope="col"
                className={`px-3 py-2 font-normal whitespace-nowrap first:pl-2 last:pr-2 ${right ? "text-right" : ""} ${wide ? "max-desk:hidden" : ""}`}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              className={`relative border-b border-line last:border-0 ${onOpen ? "hover:bg-s2" : ""} ${keyOf(row) === opened ? "bg-s2" : ""}`}
            >
              {columns.map(({ head, cell, right, wide }, place) => (
                <td
                  key={head}
                  className={`h-12 px-3 py-2 first:pl-2 last:pr-2 ${right ? "text-right whitespace-nowrap" : ""} ${wide ? "max-desk:hidden" : ""}`}
                >
                  {place === 0 && onOpen ? (
                    <Pressable
                      onPress={() => onOpen(row)}
                      className="text-left font-medium text-brand-text before:absolute before:inset-0"
                    >
                      {cell(row)}
                    </Pressable>
                  ) : (
                    cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
