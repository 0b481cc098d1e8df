import { formatMoment } from "../lib/time.ts"
import { atApi } from "../lib/wire/index.ts"
import { Failed } from "../ui/Failed.tsx"
import { Notice } from "../ui/Notice.tsx"
import { Pressable } from "../ui/Pressable.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { Tag } from "../ui/Tag.tsx"
import { AnswerForm } from "./AnswerForm.tsx"
import { Facts } from "./Facts.tsx"
import type { Message, Thread } from "./shapes.ts"
import { useAsked } from "./useAsked.ts"
import { useHas } from "./useMe.ts"
import { ageOf, languageOf, ticketStateOf } from "./words.ts"

const EVERY = 10_000

/** One ticket: what was written in it, and the house's answer. The member's own marks of what was read stay. */
export function TicketView({ id, onDone }: { id: string; onDone: () => void }) {
  const { data, problem, again } = useAsked<Thread>("ticket", { about: { id }, every: EVERY })
  const may = useHas("support")
  if (data === undefined)
    return problem ? <Failed problem={problem} onRetry={again} /> : <Skeleton lines={6} />
  const { ticket, messages } = data
  return (
    <>
      <h3 className="mt-4 font-semibold break-words">{ticket.subject}</h3>
      <Facts
        of={[
          ["Account", ticket.account],
          [
            "State",
            <Tag key="state" tone={ticket.state === "open" ? "warn" : "quiet"}>
              {ticketStateOf(ticket.state)}
            </Tag>,
          ],
          ["Language", languageOf(ticket.lang)],
          [ticket.state === "open" ? "Asked" : "Last written", `${ageOf(ticket.age_seconds)} ago`],
        ]}
      />
      <ol aria-label="Messages" className="mt-3 flex flex-col gap-3">
        {messages.map((message) => (
          <Said key={message.id} message={message} />
        ))}
      </ol>
      {problem && <Failed problem={problem} onRetry={again} />}
      {ticket.state === "closed" && <Notice>This ticket is closed: nothing more is written in it.</Notice>}
      {ticket.state !== "closed" && !may && <Notice>Support answers tickets; you can read them.</Notice>}
      {ticket.state !== "closed" && may && <AnswerForm of={ticket} onDone={onDone} />}
    </>
  )
}

/** The house's own stand at the right. */
function Said({ message: { by, staff, text, images, at } }: { message: Message }) {
  const ours = by === "house"
  return (
    <li className={`max-w-[85%] rounded-card px-4 py-3 ${ours ? "self-end bg-s3" : "self-start bg-s2"}`}>
      <p className="text-small text-t3">
        {ours ? (staff ?? "By a command") : "Member"} · {formatMoment(at)}
      </p>
      <p className="mt-1 break-words whitespace-pre-line">{text}</p>
      {images.length > 0 && (
        <ul className="mt-2 flex flex-wrap gap-2">
          {images.map((image, index) => (
            <li key={image}>
              <Pressable href={atApi(image)} label={`Picture ${index + 1}`} className="block rounded-cell">
                <img src={atApi(image)} alt="" className="size-20 rounded-cell bg-s3 object-cover" />
              </Pressable>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
