/** A number above zero as the wire has it. */
export const DECIMAL = /^(?!0*(\.0*)?$)\d{1,20}(\.\d{1,18})?$/
