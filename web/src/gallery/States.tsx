import { Refusal } from "../lib/api.ts"
import { suspectOffline } from "../lib/network.ts"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { Empty } from "../ui/Empty.tsx"
import { HoldFirst } from "../ui/HoldFirst.tsx"
import { Line } from "../ui/Line.tsx"
import { type Loadable, Loaded } from "../ui/Loaded.tsx"
import { NoneFound } from "../ui/NoneFound.tsx"
import { Notice } from "../ui/Notice.tsx"
import { Part, State } from "./Part.tsx"

const refused = (code: number, error: string, msg: string) => new Refusal(code, msg, { error } as never)
const LONG_AGO = 60_000

const query = (part: Partial<Loadable<string[]>>): Loadable<string[]> => ({
  data: undefined,
  error: null,
  isFetching: false,
  dataUpdatedAt: Date.now() - LONG_AGO,
  refetch: () => undefined,
  ...part,
})

const STATES: Record<string, Loadable<string[]>> = {
  "loading; after 8 s it says so": query({ isFetching: true }),
  "failed with nothing older": query({ error: new Error("500") }),
  refused: query({ error: refused(422, "feature_off", "Not available in your country") }),
  "forbidden, with the screen that mends it": query({
    error: refused(422, "out_password_not_set", "Please set a withdrawal password first"),
  }),
  "failed with the last good data": query({ error: new Error("500"), data: ["1,240.50 USDT"] }),
  empty: query({ data: [] }),
  there: query({ data: ["1,240.50 USDT"] }),
}

/** What a screen shows while its data isn't there, and when it is. */
export function States() {
  return (
    <>
      <Part name="Loaded">
        {Object.entries(STATES).map(([name, state]) => (
          <State key={name} name={name}>
            <Loaded
              query={state}
              skeleton={<div className="h-16 animate-breathe rounded-card bg-s2" />}
              empty={{ when: (rows) => rows.length === 0, show: <Empty text="No bets yet." action={null} /> }}
            >
              {(rows) => (
                <Card>
                  <Line name="Balance">{rows[0]}</Line>
                </Card>
              )}
            </Loaded>
          </State>
        ))}
        <State name="offline: as after a failed request and a failed probe">
          <Button kind="quiet" small onPress={suspectOffline}>
            Ask whether the server is there
          </Button>
        </State>
      </Part>
      <Part name="Empty">
        <State name="nothing yet">
          <Empty
            text="No bets yet. Each one will stand here with its block and its proof."
            action={
              <Button small to="/gallery">
                To the room
              </Button>
            }
          />
        </State>
        <State name="a choice that leaves nothing">
          <NoneFound text="No bets in this state." all={{ to: "/gallery" }} />
        </State>
      </Part>
      <Part name="Notice">
        <Notice>Something worth knowing.</Notice>
        <Notice tone="warn">Send only USDT on this network.</Notice>
        <Notice tone="danger">Account or password is wrong</Notice>
        <HoldFirst hours={24} />
      </Part>
    </>
  )
}
