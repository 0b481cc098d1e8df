import { Trans, useLingui } from "@lingui/react/macro"
import { type UseFormReturn, useWatch } from "react-hook-form"
import { type AddressFault, addressFault } from "../../lib/addresses.ts"
import { pasteText } from "../../lib/copying.ts"
import { Address } from "../../ui/Address.tsx"
import { Field } from "../../ui/Field.tsx"
import { Pressable } from "../../ui/Pressable.tsx"
import type { BookForm } from "./bookForm.ts"

interface Props {
  form: UseFormReturn<BookForm>
  network: string
  /** What stands in the book, as far as it was read. */
  known: readonly string[]
}

const WHOLE = 42
const LONGEST = 64

/** Where to: checked while it is typed or as soon as it is pasted, and then shown in groups to be compared. */
export function AddressField({ form, network, known }: Props) {
  const { t } = useLingui()
  const address = useWatch({ control: form.control, name: "address" }).trim()
  const fault = addressFault(address)
  const texts: Record<AddressFault, string> = {
    form: t`An address begins with 0x and has 40 characters of 0–9 and a–f after it`,
    checksum_missing: t`Its capital letters are missing, which show a slip. Copy it anew from your wallet.`,
    checksum: t`Its checksum is wrong: a character was changed. Copy it anew from your wallet.`,
  }
  const wrong = (text: string) => {
    const found = addressFault(text)
    return found !== null
      ? texts[found]
      : known.includes(text)
        ? t`This address is in your book already`
        : undefined
  }
  const early = address.length >= WHOLE ? wrong(address) : undefined
  const paste = async () => {
    const text = await pasteText()
    if (text !== null) form.setValue("address", text.slice(0, LONGEST), { shouldValidate: true })
  }
  return (
    <>
      <Field
        label={t`Address`}
        placeholder="0x…"
        mono
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={LONGEST}
        error={form.formState.errors.address?.message ?? early}
        trailing={
          <Pressable onPress={() => void paste()} className="min-h-11 px-4 text-brand-text">
            <Trans>Paste</Trans>
          </Pressable>
        }
        {...form.register("address", {
          validate: (text) => wrong(text.trim()) ?? true,
        })}
      />
      {fault === null && (
        <div className="mt-2">
          <Address address={address} network={network} />
          <p className="mt-1.5 text-small text-t3">
            <Trans>Its checksum is right. Compare it with your wallet, at its beginning and its end.</Trans>
          </p>
        </div>
      )}
    </>
  )
}
