import { useLingui } from "@lingui/react/macro"
import { useMutation, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { type Body, call, Refusal } from "./api.ts"
import { bareCode } from "./codes.ts"
import { notify } from "./notices.ts"
import { infoQuery } from "./queries.ts"
import { reasonOf } from "./reasons.ts"
import { useResend } from "./resend.ts"

type Asked = Body<"/api/user/sendEmail">

/** What a second factor is asked for: the scene, and what a withdrawal's code is bound to. */
export interface FactorAsked {
  scene: Asked["scene"]
  about?: Omit<Asked, "scene">
}

/** What of a call's body is the second factor. */
export type FactorCodes = { google_code: string } | { email_code: string }

/**
 * The second factor of a step: the authenticator's code where one is bound, else a code that is mailed for this scene.
 *
 * `about` is what a withdrawal's code is bound to; `only` is for a step that asks everybody for a mailed code. Give the
 * whole to `SecondFactorField`, `codes` to the call, and its refusal to `refused`, which says whether it was about the
 * code.
 */
export function useSecondFactor(scene: Asked["scene"], about: Omit<Asked, "scene"> = {}, only?: "email") {
  const { t } = useLingui()
  const info = useQuery(infoQuery()).data
  const resend = useResend("kalos.sent.factor")
  const [code, setCode] = useState("")
  const [problem, setProblem] = useState<string>()
  const email = info?.email ?? ""
  const sent = resend.email === sentTo(scene, about, email)
  const send = useMutation({
    mutationFn: () => call("/api/user/sendEmail", { scene, ...about }, { quiet: true }),
    onSuccess: () => {
      resend.start(sentTo(scene, about, email))
      setProblem(undefined)
      notify(t`Code sent`)
    },
    onError: (problem) => {
      resend.refused(sentTo(scene, about, email), problem)
      setProblem(reasonOf(problem))
    },
  })
  const plain = bareCode(code)
  const complete = /^[0-9]{6}$/.test(plain)
  const kind: "google" | "email" | undefined = info && (only ?? (info.google_bound ? "google" : "email"))
  return {
    kind,
    account: info?.account ?? "",
    email,
    code,
    /** Whether it could be right: six digits. */
    complete,
    /** Says at the field what is missing before the step is sent; false where something is. */
    check: (): boolean => {
      if (!complete) setProblem(t`The code has six digits`)
      return complete
    },
    problem,
    /** Until the next mail may be asked for; the gap is the address's, whatever the last one was for. */
    seconds: resend.seconds,
    sent,
    sending: send.isPending,
    send: () => send.mutate(),
    type: (text: string) => {
      setCode(text)
      setProblem(undefined)
    },
    codes: (kind === "google" ? { google_code: plain } : { email_code: plain }) as FactorCodes,
    /** Say at the field what is wrong. */
    complain: setProblem,
    refused: (refusal: unknown): boolean => {
      if (!isAboutCode(refusal)) return false
      setCode("")
      setProblem(refusal.message)
      return true
    },
  }
}

const ABOUT_CODES = new Set(["wrong_code", "code_expired", "second_factor_required"])

/** Whether a refusal is about the second factor, and told at its field. */
export const isAboutCode = (problem: unknown): problem is Refusal =>
  problem instanceof Refusal && ABOUT_CODES.has(problem.error)

/** A code that is bound to one withdrawal wasn't sent for any other. */
const sentTo = (scene: string, about: object, email: string) =>
  [scene, ...Object.values(about), email].join(" ")

export type SecondFactor = ReturnType<typeof useSecondFactor>
