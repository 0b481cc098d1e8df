import { useState } from "react"
import type { Staff } from "./shapes.ts"
import { signAs } from "./signing.ts"

/** Signing a text with who is here's passphrase: what was typed, what is wrong with it, and the signature. */
export function useSigned(me: Staff | undefined) {
  const [passphrase, setPassphrase] = useState("")
  const [wrong, setWrong] = useState<string | null>(null)
  const [signing, setSigning] = useState(false)
  return {
    passphrase,
    setPassphrase,
    wrong,
    signing,
    /** Give `then` the signature of `message`, or say what is wrong with the passphrase. */
    async sign(message: string, then: (signature: string) => void) {
      setWrong(null)
      if (passphrase === "") return setWrong("Enter your signing passphrase")
      if (me === undefined) return
      setSigning(true)
      try {
        const { publicKey, signature } = await signAs(me.name, passphrase, message)
        if (publicKey === me.public_key) then(signature)
        else setWrong("This is not your signing passphrase")
      } finally {
        setSigning(false)
      }
    },
  }
}
