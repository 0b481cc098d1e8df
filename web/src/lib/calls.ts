import type { paths, RowsBetRow } from "./api.gen.ts"

interface Post<Body, Answer> {
  requestBody: { content: { "application/json": Body } }
  responses: { 200: { content: { "application/json": Answer } } }
}
type Calls = {
  [P in keyof paths as paths[P] extends { post: object } ? P : never]: paths[P] extends {
    post: Post<infer Body, infer Answer>
  }
    ? { body: Body; answer: Answer; data: DataOf<Answer> }
    : never
}
type DataOf<Answer> = Extract<Answer, { code: 200; data: unknown }>["data"]

/** A call of the contract. */
export type Path = keyof Calls
export type Body<P extends Path> = Calls[P]["body"]
/** The whole answer, done or refused: `code` tells. */
export type Answer<P extends Path> = Calls[P]["answer"]
/** What a call that is done gives. */
export type Data<P extends Path> = Calls[P]["data"]

type Refused = Exclude<Answer<Path>, { code: 200 }>["data"]
/** The stable name of a refusal. */
export type ErrorName = Refused["error"]
/** What a refusal says besides its sentence. */
export type RefusalData<N extends ErrorName> = Extract<Refused, { error: N }>

/** One page of a list; `next` is what the following call sends as `after`. */
export type Page<Row> = Omit<RowsBetRow, "list"> & { list: Row[] }
