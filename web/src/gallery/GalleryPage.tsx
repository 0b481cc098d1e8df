import { LANGUAGES } from "../lib/languages.ts"
import { useSetting } from "../lib/useSetting.ts"
import { Chips } from "../ui/Chips.tsx"
import { HideToggle } from "../ui/HideToggle.tsx"
import { Page } from "../ui/Page.tsx"
import { ReceiptPage } from "../ui/ReceiptPage.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { useReceipt } from "../ui/useReceipt.ts"
import { Choices } from "./Choices.tsx"
import { Doors } from "./Doors.tsx"
import { Fields } from "./Fields.tsx"
import { Figures } from "./Figures.tsx"
import { Frames } from "./Frames.tsx"
import { Lists } from "./Lists.tsx"
import { Marks } from "./Marks.tsx"
import { Money } from "./Money.tsx"
import { Overlays } from "./Overlays.tsx"
import { Reading } from "./Reading.tsx"
import { States } from "./States.tsx"

/** /gallery: every part of the kit in each of its states. Only where the app is developed or tested. */
export default function GalleryPage() {
  const { receipt } = useReceipt()
  const [theme, setTheme] = useSetting("theme")
  const [language, setLanguage] = useSetting("language")
  if (receipt) {
    return (
      <ReceiptPage
        receipt={receipt}
        title="Sent to 10000003"
        back="/gallery"
        {...(receipt.status === "pending_review" && { received: "Will be received" })}
        next={{ label: "Back to the gallery", to: "/gallery" }}
      />
    )
  }
  return (
    <Page title="Gallery" back="/home" action={<HideToggle />}>
      <Segmented
        label="Theme"
        options={[
          { value: "system", label: "System" },
          { value: "ink", label: "Ink" },
          { value: "paper", label: "Paper" },
        ]}
        value={theme}
        onChange={setTheme}
      />
      <Chips
        label="Language"
        options={LANGUAGES.map(({ code, name }) => ({ value: code as string, label: name }))}
        value={language}
        onChange={setLanguage}
      />
      <Figures />
      <Money />
      <Fields />
      <Doors />
      <Choices />
      <States />
      <Lists />
      <Overlays />
      <Reading />
      <Marks />
      <Frames />
    </Page>
  )
}
