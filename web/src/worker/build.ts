/** What the build tells the worker about itself. */
export interface Build {
  /** Changes with anything in it. */
  id: string
  /** The script that its page starts with. */
  entry: string
  /** What every page needs before it can show anything. */
  shell: readonly string[]
  /** Screens, catalogues and what else is loaded when it is first needed. */
  parts: readonly string[]
  /** Those of the parts that are a language's texts. */
  texts: readonly string[]
}
