import { Trans, useLingui } from "@lingui/react/macro"
import { useId } from "react"
import { formatPercent } from "../lib/money.ts"
import type { Picture, Pictures } from "../lib/pictures.ts"
import { Icon } from "./Icon.tsx"
import { IconButton } from "./IconButton.tsx"

/** Pictures to send along: chosen, on their way, there, or refused; each can be taken back. */
export function PicturesField({ label, pictures }: { label: string; pictures: Pictures }) {
  const id = useId()
  const { most } = pictures
  return (
    <div className="mt-4">
      {pictures.list.length > 0 && (
        <ul aria-label={label} className="mb-2">
          {pictures.list.map((picture) => (
            <PictureLine key={picture.key} picture={picture} onRemove={() => pictures.remove(picture.key)} />
          ))}
        </ul>
      )}
      {pictures.over && (
        <p role="alert" className="mb-2 text-small text-danger">
          <Trans>{most} pictures at most: the others were left out.</Trans>
        </p>
      )}
      {pictures.room && (
        <label
          htmlFor={id}
          className="flex min-h-11 w-full items-center justify-center gap-2 rounded-control bg-s2 px-4 text-body font-medium text-t1 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-brand-text active:bg-s3"
        >
          <input
            id={id}
            type="file"
            multiple
            accept="image/jpeg,image/png,image/webp"
            className="sr-only"
            onChange={(event) => {
              pictures.add([...(event.currentTarget.files ?? [])])
              event.currentTarget.value = ""
            }}
          />
          <Icon name="plus" size={5} />
          <Trans>Add a picture</Trans>
        </label>
      )}
    </div>
  )
}

function PictureLine({ picture, onRemove }: { picture: Picture; onRemove: () => void }) {
  const { t } = useLingui()
  const { name, shown, part, problem } = picture
  return (
    <li className="flex min-h-14 items-center gap-3 py-1">
      <img src={shown} alt="" className="size-11 shrink-0 rounded-cell bg-s2 object-cover" />
      <span className="min-w-0 flex-1">
        <span className="block truncate">{name}</span>
        {problem !== null ? (
          <span role="alert" className="block text-small break-words text-danger">
            {problem}
          </span>
        ) : (
          <span className="block text-small text-t3">
            {part === null ? <Trans>Ready to send</Trans> : formatPercent(String(part), 0)}
          </span>
        )}
      </span>
      <IconButton icon="close" size={4} label={t`Remove ${name}`} onPress={onRemove} />
    </li>
  )
}
