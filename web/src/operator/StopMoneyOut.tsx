import { useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Notice } from "../ui/Notice.tsx"
import { Drawer } from "./Drawer.tsx"
import { Panel } from "./Panel.tsx"
import { Submission } from "./Submission.tsx"
import { useHas } from "./useMe.ts"

/** Stopping money out, which one person may: behind the figures, and asked once more before it is done. */
export function StopMoneyOut() {
  const may = useHas("treasurer", "owner")
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  if (!may) return null
  return (
    <Panel title="Money out">
      <p className="text-small text-t2">
        Withdrawals and transfers leave. You alone can stop all of them at once; only the machine lets them go
        on (<code className="font-mono">money-out resume</code>), after an audit.
      </p>
      <div className="mt-3 w-fit">
        <Button kind="quiet" small onPress={() => setOpen(true)}>
          Stop money out
        </Button>
      </div>
      <Drawer title={isOpen ? "Stop money out" : null} onClose={close}>
        <Notice>
          No withdrawal or transfer leaves from then on; all else goes on. Only the machine lets money out
          again, after an audit.
        </Notice>
        <Submission kind="money_out" body={{}} onDone={close} onBack={close} />
      </Drawer>
    </Panel>
  )
}
