import { useState } from "react"
import { copyText } from "../lib/copying.ts"
import { notify, warn } from "../lib/notices.ts"
import { queryClient } from "../lib/queries.ts"
import { Address, shortened } from "../ui/Address.tsx"
import { AmountField } from "../ui/AmountField.tsx"
import { Button } from "../ui/Button.tsx"
import { CarefulLink } from "../ui/CarefulLink.tsx"
import { CopyButton } from "../ui/CopyButton.tsx"
import { List } from "../ui/List.tsx"
import { OutsideButton } from "../ui/OutsideButton.tsx"
import { OutsideLink } from "../ui/OutsideLink.tsx"
import { PullCells } from "../ui/PullToRefresh.tsx"
import { Qr } from "../ui/Qr.tsx"
import { RefreshButton } from "../ui/RefreshButton.tsx"
import { Row } from "../ui/Row.tsx"
import { Sheet, useSheet } from "../ui/Sheet.tsx"
import { SlideSheet, useSlideSheet } from "../ui/SlideSheet.tsx"
import { ToastCard } from "../ui/Toasts.tsx"
import { Part, State } from "./Part.tsx"
import { SLIDE } from "./pictures.ts"

const ADDRESS = "0x5FbDB2315678afecb367f032d93F642f64180aa3"

/** What stands over the page, and what is given away from it. */
export function Overlays() {
  const sheet = useSheet("gallery")
  const slide = useSlideSheet()
  const [text, setText] = useState("")
  const askForSlide = () => {
    queryClient.setQueryData(["/api/auth/slide", false], { ...SLIDE, captcha_id: "gallery" })
    queryClient.setQueryData(["/api/auth/slide", true], { tones: "data:,", captcha_id: "gallery" })
    slide.show()
  }
  return (
    <>
      <Part name="Sheet">
        <Button kind="quiet" onPress={sheet.show}>
          Open a sheet
        </Button>
        <Sheet sheet={sheet} title="A sheet" footer={<Button onPress={sheet.hide}>Done with it</Button>}>
          <p className="mb-4 text-t2">Back, Close, Escape, the veil and a drag take it away.</p>
          <AmountField label="Amount in a sheet" value={text} onChange={setText} asset="USDT" />
          <div className="mt-3">
            <OutsideButton href="https://explorer.example/tx/7">To another site</OutsideButton>
          </div>
        </Sheet>
      </Part>
      <Part name="SlideSheet">
        <Button kind="quiet" onPress={askForSlide}>
          Ask for a slide
        </Button>
        <SlideSheet sheet={slide} onProof={() => notify("Proven")} />
      </Part>
      <Part name="LeaveSheet">
        <p>
          A sentence with{" "}
          <CarefulLink href="https://explorer.example/block/61204417" className="text-brand-text underline">
            a link to another site
          </CarefulLink>
          , which asks first, and with{" "}
          <CarefulLink href="/gallery" className="text-brand-text underline">
            one of ours
          </CarefulLink>
          , which doesn't.
        </p>
        <List>
          <OutsideLink href="https://explorer.example/address/7" title="A row to another site" />
        </List>
      </Part>
      <Part name="PullToRefresh">
        <State name="begun, far enough, asking">
          <div className="flex gap-3">
            <PullCells filled={2} />
            <PullCells filled={5} />
            <PullCells filled={0} busy />
          </div>
        </State>
        <State name="without a pull">
          <RefreshButton />
        </State>
      </Part>
      <Part name="Toast">
        <div className="flex gap-2">
          <Button kind="quiet" small onPress={() => notify("Saved")}>
            Say a success
          </Button>
          <Button kind="quiet" small onPress={() => warn("Server error, please try again later")}>
            Say an error
          </Button>
        </div>
        <State name="done">
          <ToastCard id={0} tone="done" text="Saved" />
        </State>
        <State name="an error: it stays until it is closed, or six seconds">
          <ToastCard id={0} tone="error" text="Server error, please try again later" />
        </State>
        <State name="a refusal that its form says as well">
          <ToastCard
            id={0}
            tone="quiet"
            text="The picture's code is wrong. Type what the picture of now shows, in any case"
          />
        </State>
      </Part>
      <Part name="Address">
        <Address address={ADDRESS} network="USDT · ERC-20" />
        <div className="flex items-center">
          <Button kind="quiet" small onPress={() => void copyText(ADDRESS)}>
            Copy it
          </Button>
          <CopyButton text={ADDRESS} label="Copy it too" />
        </div>
        <State name="shortened, in lists">
          <List>
            <Row title={<span className="font-mono">{shortened(ADDRESS)}</span>} note="USDT · ERC-20" />
          </List>
        </State>
      </Part>
      <Part name="QR">
        <State name="white in both themes">
          <Qr text={ADDRESS} label="QR code of an address" />
        </State>
      </Part>
    </>
  )
}
