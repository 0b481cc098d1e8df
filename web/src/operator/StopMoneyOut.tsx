import { useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Notice } from "../ui/Notice.tsx"
import { Drawer } from "./Drawer.tsx"
import { Submission } from "./Submission.tsx"
import { useHas } from "./useMe.ts"

/** Stopping money out, which one person may. The machine alone lets it go on. */
export function StopMoneyOut() {
  const may = useHas("treasurer", "owner")
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  if (!may) return null
  return (
    <div className="mt-4">
      <Button kind="danger" small onPress={() => setOpen(true)}>
        Stop money out
      </Button>
      <Drawer title={isOpen ? "Stop money out" : null} onClose={close}>
        <Notice>
          No withdrawal or transfer leaves from then on; all else goes on. Only the machine lets money out
          again, after an audit.
        </Notice>
        <Submission kind="money_out" body={{}} onDone={close} onBack={close} />
      </Drawer>
    </div>
  )
}
