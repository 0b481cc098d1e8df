import { useLingui } from "@lingui/react/macro"
import { type RefCallback, useEffect, useRef } from "react"
import { Field, type FieldProps } from "./Field.tsx"
import { IconButton } from "./IconButton.tsx"

interface Props extends Omit<FieldProps, "label" | "hint" | "trailing" | "mono" | "ref"> {
  /** `drawn` is none while it loads; its sound is a data URL. */
  captcha: { drawn: { tones: string | null } | undefined; error?: Error | null; refresh: () => void }
  /** While it is judged there are no others. */
  still?: boolean
  ref?: RefCallback<HTMLInputElement>
}

/** The field for how many tones each group of a captcha's sound has, and what plays them as often as it is pressed. */
export default function TonesField({ captcha, still = false, error, ref, ...field }: Props) {
  const { t } = useLingui()
  const tones = captcha.drawn?.tones ?? undefined
  const sound = useRef<HTMLAudioElement>(null)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // Whoever asked for it is led to it, and hears what it is.
    input.current?.focus()
  }, [])
  useEffect(() => {
    if (tones === undefined) return
    const playing = new Audio(tones)
    sound.current = playing
    // What was answered, or is no longer wanted, isn't played on.
    return () => playing.pause()
  }, [tones])
  const play = () => {
    if (sound.current === null) return
    sound.current.currentTime = 0
    // A device that plays nothing has said so.
    sound.current.play().catch(() => undefined)
  }
  return (
    <Field
      label={t`Tones in each group`}
      hint={t`Four groups of tones: type how many each has, such as 3142`}
      inputMode="numeric"
      autoComplete="off"
      aria-busy={tones === undefined}
      error={captcha.error ? t`The tones didn't load. Ask for other ones.` : error}
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
            disabled={still}
            onPress={captcha.refresh}
          />
        </span>
      }
      {...field}
      ref={(element) => {
        input.current = element
        ref?.(element)
      }}
    />
  )
}
