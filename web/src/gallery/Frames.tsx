import type { ReactNode } from "react"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { CopyButton } from "../ui/CopyButton.tsx"
import { Header } from "../ui/Header.tsx"
import { InstallInvitation } from "../ui/InstallOffer.tsx"
import { Line } from "../ui/Line.tsx"
import { Page } from "../ui/Page.tsx"
import { Plate } from "../ui/Plate.tsx"
import { TabBar, type TabItem } from "../ui/TabBar.tsx"
import { Tag } from "../ui/Tag.tsx"
import { Part, State } from "./Part.tsx"

const TABS: TabItem[] = [
  { to: "/home", label: "Home", icon: "home", lit: false, onPress: () => undefined },
  { to: "/index1", label: "Trade", icon: "trade", lit: false, onPress: () => undefined },
  { to: "/game", label: "Play", icon: "play", lit: false, onPress: () => undefined },
  { to: "/gallery", label: "Assets", icon: "assets", lit: true, onPress: () => undefined },
  { to: "/me", label: "Me", icon: "me", lit: false, onPress: () => undefined },
]

/** What frames a screen, and the surfaces in it. */
export function Frames() {
  return (
    <>
      <Part name="Header">
        <State name="a short title beside a wide action">
          <div className="relative">
            <Header title="Bulletins" back="/home" action="Details" />
          </div>
        </State>
        <State name="nothing to go back to">
          <div className="relative">
            <Header title="Licences" />
          </div>
        </State>
        <State name="a long title, with an action">
          <div className="relative">
            <Header title="Compensation and its whole history" back="/home" action="Rules" />
          </div>
        </State>
      </Part>
      <Part name="Card">
        <Card title="Block" note="61,204,417">
          <Line name="Fee">0.25 KLS</Line>
          <Line name="A name so long that its value may have to go under it">999,999,999.12345678 KLS</Line>
        </Card>
        <Plate seed="10000002">
          <p className="text-h2">10000002</p>
          <p className="mt-2 flex items-center gap-2">
            <Tag tone="gold">Node 2</Tag>
            <CopyButton text="KALOS1" label="Copy the invitation code" />
          </p>
        </Plate>
      </Part>
      <Part name="InstallOffer">
        <State name="where the browser asks">
          <InstallInvitation prompts />
        </State>
        <State name="where one does it by hand">
          <InstallInvitation prompts={false} />
        </State>
      </Part>
      <Part name="TabBar">
        <div className="relative h-14 contain-layout">
          <TabBar tabs={TABS} />
        </div>
      </Part>
      <Part name="Page">
        <State name="a tab's own">
          <Window barred>
            <Page title="Assets" root action="Details">
              <p className="text-t2">What a tab shows stands clear of the bar.</p>
            </Page>
            <TabBar tabs={TABS} />
          </Window>
        </State>
        <State name="one that leads back, with its action at the foot">
          <Window>
            <Page title="Send" back="/home" footer={<Button>Continue with it</Button>}>
              <p className="text-t2">What a screen shows stands over its action.</p>
            </Page>
          </Window>
        </State>
      </Part>
    </>
  )
}

/** A small window: what stands at the foot of a screen stands at its foot. */
function Window({ barred, children }: { barred?: boolean; children: ReactNode }) {
  return (
    <div
      data-barred={barred || undefined}
      className="group/column relative flex h-72 flex-col overflow-y-auto rounded-card bg-bg contain-layout"
    >
      {children}
    </div>
  )
}
