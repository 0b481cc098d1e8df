import { Tag, type Tone } from "../ui/Tag.tsx"
import type { Command } from "./shapes.ts"
import { stateOf } from "./words.ts"

const TONES: Partial<Record<Command["state"], Tone>> = {
  open: "warn",
  signed: "info",
  carried_out: "up",
  refused: "down",
}

/** How far a command has come. */
export function StateTag({ state }: { state: Command["state"] }) {
  return <Tag tone={TONES[state] ?? "quiet"}>{stateOf(state)}</Tag>
}
