import { useSearch } from "@tanstack/react-router"
import { NewTicket } from "./NewTicket.tsx"
import { Tickets } from "./Tickets.tsx"
import { TicketThread } from "./TicketThread.tsx"

/** /me3?view=service: the tickets, one of them, or a new one. */
export default function ServiceView() {
  const { ticket } = useSearch({ from: "/me3" })
  if (ticket === undefined) return <Tickets />
  return ticket === "new" ? <NewTicket /> : <TicketThread key={ticket} id={ticket} />
}
