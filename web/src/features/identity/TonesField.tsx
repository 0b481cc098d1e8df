import { useLingui } from "@lingui/react/macro"
import { useEffect, useRef } from "react"
import { Field } from "../../ui/Field.tsx"
import { IconButton } from "../../ui/IconButton.tsx"
import type { CaptchaProps } from "./CaptchaField.tsx"

/** The field for how many tones each group of a captcha's sound has, and what plays them as often as it is pressed. */
export default function TonesField({ captcha, error, ref, ...field }: CaptchaProps) {
  const { t } = useLingui()
  const tones = captcha.drawn?.tones ?? undefined
  const playing = useRef<HTMLAudioElement>(null)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // Whoever asked for it is led to it, and hears what it is.
    input.current?.focus()
    return () => playing.current?.pause()
  }, [])
  const play = () => {
    playing.current?.pause()
    playing.current = new Audio(tones)
    // A device that plays nothing has said so.
    playing.current.play().catch(() => undefined)
  }
  return (
    <Field
      label={t`Tones in each group`}
      hint={t`Four groups of tones: type how many each has, such as 3142`}
      inputMode="numeric"
      autoComplete="off"
      error={error ?? (captcha.error && t`The tones didn't load. Ask for other ones.`)}
      trailing={
        <span className="flex items-center">
          <IconButton
            icon="bell"
            label={t`Play the tones`}
            disabled={tones === undefined}
            onPress={play}
            className="text-brand-text"
          />
          <IconButton
            icon="refresh"
            size={5}
            label={t`Other tones`}
            onPress={() => {
              playing.current?.pause()
              captcha.refresh()
            }}
          />
        </span>
      }
      {...field}
      ref={(element) => {
        input.current = element
        ref(element)
      }}
    />
  )
}
