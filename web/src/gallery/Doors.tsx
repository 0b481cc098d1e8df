import { useForm } from "react-hook-form"
import { MailedCode } from "../ui/MailedCode.tsx"
import { NewPasswordField } from "../ui/NewPasswordField.tsx"
import { PosterStrip } from "../ui/PosterStrip.tsx"
import { WalletChoice } from "../ui/WalletChoice.tsx"
import { Part, State } from "./Part.tsx"
import { POSTER } from "./pictures.ts"

const SENT = {
  email: "anna@example.com",
  waiting: "anna@example.com",
  seconds: 42,
  start: () => undefined,
  refused: () => undefined,
}
const POSTERS = { night: { file: new File([], "kalos-night.png"), url: POSTER } }

/** What people come in by, and what they invite others with. */
export function Doors() {
  const { register } = useForm<{ first: string; code: string; password: string }>()
  return (
    <>
      <Part name="MailedCode">
        <State name="not asked for">
          <MailedCode
            resend={{ ...SENT, email: "", waiting: "", seconds: 0 }}
            to=""
            busy={false}
            onAsk={() => undefined}
            onCode={() => undefined}
            error={undefined}
            register={(options) => register("first", options)}
          />
        </State>
        <State name="sent, and wrong">
          <MailedCode
            label="Code from the new e-mail"
            resend={SENT}
            to={SENT.email}
            busy={false}
            onAsk={() => undefined}
            onCode={() => undefined}
            error="The code is wrong"
            register={(options) => register("code", options)}
          />
        </State>
      </Part>
      <Part name="NewPasswordField">
        <NewPasswordField
          label="New password"
          value="harbour"
          error={undefined}
          register={(options) => register("password", options)}
        />
      </Part>
      <Part name="WalletChoice">
        <State name="none in this browser">
          <WalletChoice busy={false} onChoose={() => undefined} />
        </State>
      </Part>
      <Part name="PosterStrip">
        <div className="w-48 overflow-hidden">
          <PosterStrip
            label="Posters"
            posters={POSTERS}
            says="An invitation to Kalos"
            value="night"
            onChange={() => undefined}
          />
        </div>
      </Part>
    </>
  )
}
