/** The one screen that needs no catalogue: not even the English texts came. */
export const NoTexts = () => (
  <main className="flex flex-1 flex-col gap-4 p-5">
    <h1 className="text-h1">Kalos did not load</h1>
    <p className="text-t2">The connection broke off. Your money isn't affected by that.</p>
    <a className="flex min-h-11 items-center text-brand-text" href={location.href}>
      Load it again
    </a>
  </main>
)
