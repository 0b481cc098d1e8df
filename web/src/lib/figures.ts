import { formatAmount, formatPercent, times } from "./money.ts"

const FIGURES = /(\d+(?:\.\d+)?) ?%|\d+\.\d+/g

/** A sentence of the server with its rates as this device writes numbers: what comes has points in every language. */
export const withFigures = (sentence: string): string =>
  sentence.replace(FIGURES, (figure, percent: string | undefined) =>
    percent === undefined ? formatAmount(figure, { least: 0 }) : formatPercent(times(percent, "0.01", 18)),
  )
