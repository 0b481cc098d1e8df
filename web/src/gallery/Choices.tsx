import { useState } from "react"
import { ActionTile } from "../ui/ActionTile.tsx"
import { Button } from "../ui/Button.tsx"
import { Chips } from "../ui/Chips.tsx"
import { ChoiceList } from "../ui/ChoiceList.tsx"
import { IconButton } from "../ui/IconButton.tsx"
import { Plates } from "../ui/Plates.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { ServiceTile } from "../ui/ServiceTile.tsx"
import { TextLink } from "../ui/TextLink.tsx"
import { Part, State } from "./Part.tsx"

const nothing = () => undefined
const WORDS = [
  { value: "a", label: "Awaiting draw" },
  { value: "b", label: "Won" },
  { value: "c", label: "Not won" },
  { value: "d", label: "Returned", disabled: true },
]

/** Whatever is pressed or chosen. */
export function Choices() {
  const [value, setValue] = useState("a")
  return (
    <>
      <Part name="Button">
        <Button onPress={nothing}>Primary</Button>
        <Button kind="quiet" icon="copy" onPress={nothing}>
          Quiet with a glyph
        </Button>
        <Button kind="text" onPress={nothing}>
          Text
        </Button>
        <Button kind="danger" onPress={nothing}>
          Danger
        </Button>
        <State name="busy">
          <Button busy onPress={nothing}>
            Sending
          </Button>
        </State>
        <State name="off, with its reason">
          <Button reason="Your balance is too small" onPress={nothing}>
            Send 50 USDT
          </Button>
        </State>
        <Button small kind="quiet" onPress={nothing}>
          Small
        </Button>
        <div className="flex items-center gap-2">
          <IconButton icon="search" label="Search" onPress={nothing} />
          <IconButton icon="bell" label="Bulletins" pressed onPress={nothing} />
          <IconButton icon="plus" label="More" disabled onPress={nothing} />
          <p>
            A sentence with <TextLink to="/gallery">a link</TextLink> in it.
          </p>
        </div>
      </Part>
      <Part name="Tiles">
        <div className="flex gap-2">
          <ActionTile icon="down" label="Top up" filled onPress={nothing} />
          <ActionTile icon="up" label="Withdraw" onPress={nothing} />
          <ActionTile icon="swap" label="Transfer" onPress={nothing} />
          <ActionTile icon="exchange" label="Exchange" onPress={nothing} />
        </div>
        <nav aria-label="Services" className="grid grid-cols-4 gap-x-1 gap-y-4">
          <ServiceTile icon="play" label="Odd / Even" onPress={nothing} />
          <ServiceTile icon="ribbon" label="Results" onPress={nothing} />
        </nav>
      </Part>
      <Part name="Segmented">
        <Segmented label="View" options={WORDS.slice(0, 3)} value={value} onChange={setValue} />
        <State name="something unread, and one that can't be chosen">
          <Segmented
            label="List"
            options={[
              { value: "a", label: "Bulletins" },
              { value: "b", label: "News", dot: "unread" },
              { value: "d", label: "Later", disabled: true },
            ]}
            value={value}
            onChange={setValue}
          />
        </State>
      </Part>
      <Part name="Chips">
        <Chips label="Status" options={WORDS} value={value} onChange={setValue} />
      </Part>
      <Part name="Plates">
        <Plates
          label="Side"
          options={[
            { value: "a", title: "Odd", chip: "50%", note: "1 3 5 7 9 · pays +0.95×" },
            { value: "b", title: "Even", chip: "50%", note: "0 2 4 6 8 · pays +0.95×" },
          ]}
          value={value === "b" ? "b" : "a"}
          onChange={setValue}
        />
      </Part>
      <Part name="ChoiceList">
        <ChoiceList label="Choice" options={WORDS} value={value} onChange={setValue} />
      </Part>
    </>
  )
}
