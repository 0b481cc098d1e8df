/** The version of the terms that Terms.tsx shows; it changes with their text. */
export const TERMS_VERSION = "2"
