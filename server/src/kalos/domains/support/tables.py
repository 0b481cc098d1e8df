"""Rows of this domain's tables; the fields are the columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from kalos.domains.support.rules import State

TICKETS: Final = "tickets"
MESSAGES: Final = "ticket_messages"


@dataclass(frozen=True, slots=True)
class TicketRow:
    """`last_message` orders a list; up to `read_message` the member has seen what the house wrote.

    `lang` is the language that the member wrote in last; `asked_at`, of an open one, when they wrote the first message
    that has no answer yet.
    """

    id: int
    member: int
    subject: str
    state: State
    last_message: int
    read_message: int
    created_at: int
    touched_at: int
    lang: str
    asked_at: int


@dataclass(frozen=True, slots=True)
class MessageRow:
    """`by_house`: an operator wrote it, in the console `staff`. `pictures` are ids of the member's uploads."""

    id: int
    ticket: int
    by_house: bool
    text: str
    pictures: Sequence[str]
    at: int
    staff: int | None


ROWS: Final[dict[str, type[Any]]] = {TICKETS: TicketRow, MESSAGES: MessageRow}
