import { formatDateTime } from "../lib/time.ts"
import { Button } from "../ui/Button.tsx"
import { Notice } from "../ui/Notice.tsx"
import { BulletinForm } from "./BulletinForm.tsx"
import { Facts } from "./Facts.tsx"
import type { Bulletin } from "./shapes.ts"
import { useAct } from "./useAct.ts"
import { useHas } from "./useMe.ts"
import { bulletinStateOf, LANGUAGES, nameOf } from "./words.ts"

/** One bulletin, or a new one: what it says and since when, written by who may, and taken back. */
export function BulletinView({ of, onDone }: { of: Bulletin | undefined; onDone: () => void }) {
  const may = useHas("content")
  return (
    <>
      {of && (
        <Facts
          of={[
            ["Name", of.name],
            ["Kind", nameOf(of.kind)],
            ["State", bulletinStateOf(of.state)],
            ["Shown from", formatDateTime(of.from_at)],
            of.until_at === null ? null : ["Shown until", formatDateTime(of.until_at)],
            ["Changed", formatDateTime(of.changed_at)],
          ]}
        />
      )}
      {of && may && of.state !== "retracted" && <Withdrawal of={of} onDone={onDone} />}
      {may ? (
        <BulletinForm of={of} onDone={onDone} />
      ) : (
        <>
          <Notice>Who has the role content writes bulletins; you can read them.</Notice>
          {of?.texts.map(({ lang, title, lines }) => (
            <section key={lang} lang={lang} className="mt-5">
              <h3 className="font-semibold">
                {LANGUAGES[lang]}: {title}
              </h3>
              <p className="mt-1 break-words whitespace-pre-wrap text-t2">{lines.join("\n")}</p>
            </section>
          ))}
        </>
      )}
    </>
  )
}

function Withdrawal({ of, onDone }: { of: Bulletin; onDone: () => void }) {
  const { act, busy, problem } = useAct<Bulletin>("retractBulletin", "The bulletin is withdrawn")
  return (
    <div className="mt-4">
      {problem && <Notice tone="danger">{problem.message}</Notice>}
      <Button
        kind="quiet"
        small
        busy={busy}
        onPress={() => act({ id: of.id, changed_at: of.changed_at }, onDone)}
      >
        Withdraw it: members see it no longer
      </Button>
    </div>
  )
}
