import { useState } from "react"
import { timeOf } from "../lib/deviceTime.ts"
import { Button } from "../ui/Button.tsx"
import { Check } from "../ui/Check.tsx"
import { Field } from "../ui/Field.tsx"
import { Form } from "../ui/Form.tsx"
import { Notice } from "../ui/Notice.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { Select } from "../ui/Select.tsx"
import { TextArea } from "../ui/TextArea.tsx"
import { type Drafted, draftOf, faultsOf, isWhole, textsOf } from "./bulletins.ts"
import type { Bulletin } from "./shapes.ts"
import { textFrom } from "./textFrom.ts"
import { useAct } from "./useAct.ts"
import { LANGUAGES } from "./words.ts"

const KINDS = [
  { value: "notice", label: "Notice" },
  { value: "news", label: "News" },
  { value: "banner", label: "Banner" },
] as const

/** What members will read, language by language; the English text is the one that everybody has. */
export function BulletinForm({ of, onDone }: { of: Bulletin | undefined; onDone: () => void }) {
  const { act, busy, problem } = useAct<Bulletin>("publishBulletin", "The bulletin is published")
  const [draft, setDraft] = useState<Drafted>(() => draftOf(of))
  const [lang, setLang] = useState("en")
  const [tried, setTried] = useState(false)
  // What was opened is what is changed: a newer one makes the server refuse.
  const [changed_at] = useState(of?.changed_at ?? null)
  const faults = tried ? faultsOf(draft) : {}
  const text = draft.texts[lang] ?? { title: "", text: "" }
  const change = (part: Partial<Drafted>) => setDraft({ ...draft, ...part })
  const write = (part: Partial<typeof text>) =>
    change({ texts: { ...draft.texts, [lang]: { ...text, ...part } } })
  const send = () =>
    act(
      {
        name: draft.name.trim(),
        kind: draft.kind,
        pinned: draft.pinned,
        link: draft.link.trim() === "" ? null : draft.link.trim(),
        picture: of?.picture ?? null,
        from_at: timeOf(draft.from, of?.from_at),
        until_at: timeOf(draft.until, of?.until_at),
        texts: textsOf(draft),
        changed_at,
      },
      onDone,
    )
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (Object.keys(faultsOf(draft)).length === 0) send()
      }}
    >
      {!of && (
        <>
          <div className="mt-4">
            <Segmented
              label="Kind"
              options={KINDS}
              value={draft.kind}
              onChange={(kind) => change({ kind })}
            />
          </div>
          <Field
            label="Name"
            maxLength={64}
            value={draft.name}
            onChange={textFrom((name) => change({ name }))}
            error={faults.name}
            hint="Small letters, digits and hyphens; it stands for this bulletin for ever"
          />
        </>
      )}
      {draft.kind === "banner" && (
        <Field
          label="Where it leads"
          maxLength={1000}
          value={draft.link}
          onChange={textFrom((link) => change({ link }))}
          error={faults.link}
          hint="A page of ours such as /help, or https://…"
        />
      )}
      <Select
        label="Language"
        placeholder="Choose a language"
        options={Object.entries(LANGUAGES).map(([value, name]) => ({
          value,
          label: isWhole(draft.texts[value]) ? `${name} (written)` : name,
        }))}
        value={lang}
        onChange={textFrom((chosen) => chosen !== "" && setLang(chosen))}
      />
      <Field
        label="Title"
        maxLength={120}
        lang={lang}
        value={text.title}
        onChange={textFrom((title) => write({ title }))}
      />
      <TextArea
        label="Text"
        rows={8}
        maxLength={20_000}
        lang={lang}
        value={text.text}
        onChange={textFrom((written) => write({ text: written }))}
        error={faults.texts}
        hint="Markdown: # heading, **strong**, - list, [words](/help)"
      />
      <div className="grid grid-cols-2 gap-3 max-desk:grid-cols-1">
        <Field
          label="Shown from (empty: at once)"
          type="datetime-local"
          value={draft.from}
          onChange={textFrom((from) => change({ from }))}
        />
        <Field
          label="Until (empty: for ever)"
          type="datetime-local"
          value={draft.until}
          onChange={textFrom((until) => change({ until }))}
        />
      </div>
      <Check checked={draft.pinned} onChange={(pinned) => change({ pinned })}>
        Pinned above the others
      </Check>
      {problem && <Notice tone="danger">{problem.message}</Notice>}
      <div className="mt-5">
        <Button submit busy={busy}>
          {of ? "Publish what it says now" : "Publish"}
        </Button>
      </div>
    </Form>
  )
}
