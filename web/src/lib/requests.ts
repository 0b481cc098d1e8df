const BYTES = 18

/** A fresh request id: made once for each review of a money call, so that sending it again can't pay twice. */
export function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES))
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
}

/** Ids for a form that is sent until it is answered: the same body is the same request, another one has its own. */
export function requestIds(): (body: object) => string {
  let last = { body: "", id: "" }
  return (body) => {
    const text = JSON.stringify(body)
    if (text !== last.body) last = { body: text, id: newRequestId() }
    return last.id
  }
}
