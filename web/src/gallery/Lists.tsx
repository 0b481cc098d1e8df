import { useInfiniteQuery } from "@tanstack/react-query"
import { Amount } from "../ui/Amount.tsx"
import { Avatar } from "../ui/Avatar.tsx"
import { BlankRibbons } from "../ui/BlankRibbons.tsx"
import { CoinDisc } from "../ui/CoinDisc.tsx"
import { Empty } from "../ui/Empty.tsx"
import { InfiniteList } from "../ui/InfiniteList.tsx"
import { List } from "../ui/List.tsx"
import { ResultBead } from "../ui/ResultBead.tsx"
import { Row } from "../ui/Row.tsx"
import { SkeletonCard } from "../ui/SkeletonCard.tsx"
import { SkeletonRows } from "../ui/SkeletonRows.tsx"
import { SkeletonTexts } from "../ui/SkeletonTexts.tsx"
import { Part, State } from "./Part.tsx"

const PAGE = 10
const PAGES = ["0", "1", "2"]
const DAY = 86_400_000
const PAUSE = 150
const START = Date.now()
let failures = 0

async function page(number: string) {
  const index = PAGES.indexOf(number)
  await new Promise((wake) => setTimeout(wake, PAUSE))
  if (index === 1 && failures++ === 0) throw new Error("the second page fails once")
  const rows = index === PAGES.length - 1 ? PAGE / 2 : PAGE
  const list = Array.from({ length: rows }, (_, row) => index * PAGE + row).map((place) => ({
    id: String(place),
    at: START - place * (DAY / 4),
  }))
  return { list, total: 25, next: PAGES[index + 1] ?? "" }
}

/** Rows, and lists that grow. */
export function Lists() {
  const query = useInfiniteQuery({
    queryKey: ["gallery"],
    queryFn: ({ pageParam }) => page(pageParam),
    initialPageParam: "0",
    getNextPageParam: (last) => (last.list.length < PAGE ? undefined : last.next),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const none = useInfiniteQuery({
    queryKey: ["gallery", "none"],
    queryFn: async () => ({ list: [] as { id: string }[], total: 0, next: "" }),
    initialPageParam: "0",
    getNextPageParam: () => undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <>
      <Part name="Row">
        <List>
          <Row
            icon={<CoinDisc asset="USDT" />}
            title="USDT"
            note="120.00 locked"
            value="12,904.33"
            valueNote="12,904.33"
          />
          <Row
            icon={<Avatar account="10000002" />}
            title="A row that leads on"
            trailing="next"
            to="/gallery"
          />
          <Row
            icon={<ResultBead digit={7} />}
            title="A title so long that the figure beside it has to take a line of its own"
            value={<Amount value="123456789.12345678" asset="KLS" />}
          />
          <Row
            icon={<CoinDisc asset="USDT" />}
            title={<Amount value="123456789012.12345678" asset="USDT" sign />}
            note="A large figure as a title"
            value="approved"
          />
        </List>
      </Part>
      <Part name="Skeleton">
        <State name="a card, texts, ribbons">
          <SkeletonCard className="h-20" />
          <SkeletonTexts rows={1} />
          <ul className="mt-4">
            <BlankRibbons lines={2} cells={12} />
          </ul>
        </State>
      </Part>
      <Part name="InfiniteList">
        <State name="before the first page">
          <SkeletonRows rows={2} />
        </State>
        <State name="grows; its second page fails once">
          <InfiniteList
            query={query}
            keyOf={({ id }) => id}
            dayOf={({ at }) => at}
            row={({ id }) => <Row icon={<CoinDisc asset="KLS" />} title={`Row ${id}`} value="1.00" />}
            empty={<Empty text="Nothing has moved yet." action={null} />}
          />
        </State>
        <State name="without a row">
          <InfiniteList
            query={none}
            keyOf={({ id }) => id}
            row={() => null}
            empty={<Empty text="Nothing has moved yet." action={null} />}
          />
        </State>
      </Part>
    </>
  )
}
