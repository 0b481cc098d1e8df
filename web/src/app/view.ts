import { type ComponentType, lazy } from "react"
import { loadTextsOf } from "../lib/texts.ts"

type Module = { default: ComponentType }

/** A part of a screen: its code and its feature's texts are loaded when it is first gone to. */
export function view(feature: string, load: () => Promise<Module>) {
  return lazy(async () => {
    const [module] = await Promise.all([load(), loadTextsOf(feature)])
    return module
  })
}
