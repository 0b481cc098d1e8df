import { TextLink } from "../ui/TextLink.tsx"
import { Page } from "./Page.tsx"

/** No page has this address. */
export function LostPage() {
  return (
    <Page title="Not found" about="The console has no page of this address.">
      <TextLink to="/">To the dashboard</TextLink>
    </Page>
  )
}
