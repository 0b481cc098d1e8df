/** A member without a picture: a disc with the last two digits of the account. */
export function Avatar({ account }: { account: string }) {
  return (
    <span
      aria-hidden="true"
      className="grid size-9 shrink-0 place-items-center rounded-full bg-s3 text-small font-semibold text-t1"
    >
      {account.slice(-2)}
    </span>
  )
}
