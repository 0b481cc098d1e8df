/** A coin as a monogram on a disc whose shading is drawn from its name: sixteen coins, one family. */
export function CoinDisc({ asset }: { asset: string }) {
  const turn = [...asset].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7)
  return (
    <span
      aria-hidden="true"
      style={{ backgroundImage: `conic-gradient(from ${turn}deg, var(--s3), var(--s2), var(--s3))` }}
      className="grid size-9 shrink-0 place-items-center rounded-full text-small font-semibold text-t1"
    >
      {asset.slice(0, 1)}
    </span>
  )
}
