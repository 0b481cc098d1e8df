/** Arithmetic of money that only few screens need: apart from `money.ts`, which every screen waits for. */
import Big from "big.js"
import { compare, dropZeros } from "./money.ts"

/** Product, rounded up to `decimals`: what is paid. */
export const timesUp = (a: string, b: string, decimals = 8): string =>
  dropZeros(new Big(a).times(b).round(decimals, Big.roundUp).toFixed())
/** Quotient, cut to `decimals`. */
export const over = (a: string, b: string, decimals = 8): string =>
  dropZeros(new Big(a).div(b).round(decimals, Big.roundDown).toFixed())
/** Quotient, rounded up to `decimals`. */
export const overUp = (a: string, b: string, decimals = 8): string =>
  dropZeros(new Big(a).div(b).round(decimals, Big.roundUp).toFixed())
export const least = (a: string, b: string): string => (compare(a, b) < 0 ? a : b)
