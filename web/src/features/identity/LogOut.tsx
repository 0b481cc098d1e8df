import { Trans, useLingui } from "@lingui/react/macro"
import { useMutation } from "@tanstack/react-query"
import { useRouter } from "@tanstack/react-router"
import { logOut } from "../../lib/logOut.ts"
import { getToken } from "../../lib/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Sheet, useSheet } from "../../ui/Sheet.tsx"

/** The way out, with one question before it. */
export function LogOut() {
  const { t } = useLingui()
  const router = useRouter()
  const sheet = useSheet("logout")
  const leaving = useMutation({
    mutationFn: logOut,
    onSettled: () => void (getToken() === null && router.navigate({ to: "/login", replace: true })),
  })
  return (
    <>
      <Button kind="quiet" icon="logout" onPress={sheet.show}>
        <Trans>Log out</Trans>
      </Button>
      <Sheet
        sheet={sheet}
        title={t`Log out?`}
        footer={
          <div className="flex flex-col gap-2">
            <Button kind="danger" busy={leaving.isPending} onPress={() => leaving.mutate()}>
              <Trans>Log out</Trans>
            </Button>
            <Button kind="quiet" onPress={sheet.hide}>
              <Trans>Stay logged in</Trans>
            </Button>
          </div>
        }
      >
        <p className="text-t2">
          <Trans>This ends your session here. Your money and your bets stay as they are.</Trans>
        </p>
      </Sheet>
    </>
  )
}
