import { Plural, Trans, useLingui } from "@lingui/react/macro"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { TOPICS, type Topic } from "../../lib/help.ts"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Chips } from "../../ui/Chips.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Page } from "../../ui/Page.tsx"
import { Row } from "../../ui/Row.tsx"
import { SearchField } from "../../ui/SearchField.tsx"
import { useSheet } from "../../ui/Sheet.tsx"
import { Answers, type Shown } from "./Answers.tsx"
import { ANSWERS } from "./answers.ts"
import { find } from "./find.ts"
import { GameRules } from "./GameRules.tsx"
import { ReportSheet } from "./ReportSheet.tsx"
import type { HelpSearch } from "./search.ts"

/**
 * /help: answers to what people ask, there without a connection; the games' rules; what a report of a problem needs.
 * Absent until they are built: OTC, NFT, cards, shop.
 */
export default function HelpPage() {
  const { t, i18n } = useLingui()
  const { topic, q = "" } = useSearch({ from: "/help" })
  const navigate = useNavigate({ from: "/help" })
  // The field keeps what is typed; the address follows it and may cut it.
  const [words, setWords] = useState(q)
  const report = useSheet("report")
  const change = (part: { [K in keyof HelpSearch]: HelpSearch[K] | undefined }) =>
    void navigate({ search: (now) => ({ ...now, ...part }) as HelpSearch, replace: true, resetScroll: false })
  const names = useTopicNames()
  const all = ANSWERS.map((one) => ({
    topic: one.topic,
    question: i18n._(one.question),
    answer: i18n._(one.answer),
    ways: (one.ways ?? []).map((way) => ({ ...way, label: i18n._(way.label) })),
  }))
  const searching = words.trim() !== ""
  return (
    <Page title={t`Help`} back="/me">
      <SearchField
        label={t`Search help`}
        value={words}
        onChange={(text) => {
          setWords(text)
          change({ q: text.trim() || undefined })
        }}
      />
      {!searching && (
        <div className="mt-3">
          <Chips
            label={t`Topic`}
            options={[
              { value: "all", label: t`All topics` },
              ...TOPICS.map((value) => ({ value, label: names[value] })),
            ]}
            value={topic ?? "all"}
            onChange={(next) => change({ topic: next === "all" ? undefined : (next as Topic) })}
          />
        </div>
      )}
      {searching ? (
        // In all topics: whoever came by a screen's own topic may ask for anything.
        <Found list={find(all, words)} />
      ) : (
        TOPICS.filter((one) => topic === undefined || topic === one).map((one) => (
          <Card key={one} flush title={names[one]}>
            <Answers list={all.filter((shown) => shown.topic === one)} />
            {one === "games" && <GameRules />}
          </Card>
        ))
      )}
      <Card flush title={t`More`}>
        <Row
          icon={<Icon name="bell" size={5} className="text-t2" />}
          title={t`Bulletins`}
          to="/bulletin"
          trailing="next"
        />
        <Row
          icon={<Icon name="assets" size={5} className="text-t2" />}
          title={t`Wallets guide`}
          to="/wallet-register"
          trailing="next"
        />
        <Row
          icon={<Icon name="down" size={5} className="text-t2" />}
          title={t`Apps and tools`}
          to="/software-download"
          trailing="next"
        />
        <Row
          icon={<Icon name="mail" size={5} className="text-t2" />}
          title={t`Customer service`}
          note={t`Write to us, read our answers`}
          to="/me3"
          search={{ view: "service" }}
          trailing="next"
        />
        <Row
          icon={<Icon name="warning" size={5} className="text-t2" />}
          title={t`Details for a report`}
          note={t`What this app can say of itself, to copy`}
          onPress={report.show}
          trailing="next"
        />
      </Card>
      <ReportSheet sheet={report} />
    </Page>
  )
}

/** What a search brings; nothing found leads to customer service. */
function Found({ list }: { list: Shown[] }) {
  return (
    <>
      <p role="status" className="sr-only">
        {list.length === 0 ? (
          <Trans>No answer found</Trans>
        ) : (
          <Plural value={list.length} one="# answer found" other="# answers found" />
        )}
      </p>
      {list.length === 0 ? (
        <Empty
          text={<Trans>No answer has all of these words. Try fewer.</Trans>}
          action={
            <Button kind="quiet" small to="/me3" search={{ view: "service", ticket: "new" }}>
              <Trans>Write to us</Trans>
            </Button>
          }
        />
      ) : (
        <Card flush>
          <Answers list={list} />
        </Card>
      )}
    </>
  )
}

function useTopicNames(): Record<Topic, string> {
  const { t } = useLingui()
  return {
    start: t({ message: "Start", context: "a topic of help" }),
    topup: t`Top up`,
    withdraw: t`Withdraw`,
    games: t`Games and fairness`,
    security: t`Security`,
  }
}
