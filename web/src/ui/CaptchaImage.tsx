import { useLingui } from "@lingui/react/macro"
import { IconButton } from "./IconButton.tsx"
import { Skeleton } from "./Skeleton.tsx"

interface Props {
  /** Data URL of the picture; none while it loads. */
  image: string | null | undefined
  id: string | undefined
  onRefresh: () => void
}

/** The picture with the code, and the way to another one; stands inside its field. */
export function CaptchaImage({ image, id, onRefresh }: Props) {
  const { t } = useLingui()
  return (
    <span className="flex items-center">
      {image == null ? (
        <Skeleton className="h-11 w-30" />
      ) : (
        <img
          src={image}
          data-captcha={id}
          alt={t`The code to type`}
          className="h-11 w-30 rounded-cell bg-white object-contain"
        />
      )}
      <IconButton icon="refresh" size={5} label={t`Another picture`} onPress={onRefresh} />
    </span>
  )
}
