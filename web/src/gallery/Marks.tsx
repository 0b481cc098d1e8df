import { serverNow } from "../lib/clock.ts"
import { BeadRoad } from "../ui/BeadRoad.tsx"
import { Beads } from "../ui/Beads.tsx"
import { Countdown } from "../ui/Countdown.tsx"
import { CountdownRing } from "../ui/CountdownRing.tsx"
import { GameGlyph } from "../ui/GameGlyph.tsx"
import { HashRibbon } from "../ui/HashRibbon.tsx"
import { Icon } from "../ui/Icon.tsx"
import { IdRibbon } from "../ui/IdRibbon.tsx"
import { ICONS, type IconName } from "../ui/icons.ts"
import { Mark } from "../ui/Mark.tsx"
import { ScoreRing } from "../ui/ScoreRing.tsx"
import { StatusChip } from "../ui/StatusChip.tsx"
import { StepCells } from "../ui/StepCells.tsx"
import { Tag, type Tone } from "../ui/Tag.tsx"
import { UnreadDot } from "../ui/UnreadDot.tsx"
import { Part, State } from "./Part.tsx"

const HASH = "0x9c1f7a7cf4b8d52a60e3c1f9ab42d7e5a8b06c3d1f2e4a5b6c4af0e1bd2f7cde"
const DIGITS = [7, 6, 2, 1, 9, 4, 3, 0, 8, 5, 7, null, 6, 1, 4, 6]
const TONES: Tone[] = ["quiet", "up", "down", "warn", "info", "gold"]
const START = serverNow()
const MINUTE = 60_000

/** The product's own marks: ribbons, clocks, beads, words on a tint, glyphs. */
export function Marks() {
  return (
    <>
      <Part name="HashRibbon">
        <State name="waiting">
          <HashRibbon />
        </State>
        <State name="drawn">
          <HashRibbon hash={HASH} />
        </State>
        <State name="large, in the room">
          <HashRibbon hash={HASH} large cells={12} />
        </State>
        <State name="no digit">
          <HashRibbon hash="0xabcdefabcdefabcdef" />
        </State>
        <State name="a receipt's number">
          <IdRibbon id="8f3cA7-b2Kd91xQ0" />
        </State>
      </Part>
      <Part name="Countdown">
        <div className="flex items-center gap-6">
          <Countdown until={START + 61 * MINUTE} />
          <CountdownRing opensAt={START} closesAt={START + MINUTE} open label="to close" closed="Drawing" />
          <CountdownRing opensAt={START - MINUTE} closesAt={START} open label="to close" closed="Drawing" />
        </div>
      </Part>
      <Part name="Beads">
        <Beads digits={DIGITS} />
        <BeadRoad digits={DIGITS} />
      </Part>
      <Part name="Tag">
        <div className="flex flex-wrap gap-2">
          {TONES.map((tone) => (
            <Tag key={tone} tone={tone}>
              {tone}
            </Tag>
          ))}
          <StatusChip status="pending_review" />
          <StatusChip status="on_chain_processing" note="3/12" />
          <StatusChip status="won" />
          <StatusChip status="a_word_of_tomorrow" />
        </div>
        <StepCells done={3} all={12} />
        <p className="flex items-center gap-2">
          Not read yet
          <UnreadDot label="unread" />
        </p>
      </Part>
      <Part name="ScoreRing">
        <div className="flex gap-4">
          <ScoreRing done={0} all={4} />
          <ScoreRing done={3} all={4} />
          <ScoreRing done={4} all={4} />
        </div>
      </Part>
      <Part name="Icon">
        <div className="flex flex-wrap items-center gap-3 text-t2">
          {(Object.keys(ICONS) as IconName[]).map((name) => (
            <Icon key={name} name={name} />
          ))}
        </div>
        <div className="flex items-center gap-5">
          <Mark />
          <GameGlyph />
        </div>
      </Part>
    </>
  )
}
