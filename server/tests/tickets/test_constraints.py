"""What no row of a ticket may say, PostgreSQL itself refuses: each constraint, written to by hand."""

from functools import partial
from typing import Any, Final

from support import constraints
from support.constraints import *  # noqa: F403 - pytest finds its tests here

# A row that each table takes: a case changes what its constraint looks at, and nothing else.
ROWS: Final[dict[str, dict[str, Any]]] = {
    "tickets": {
        "id": 1,
        "member": 1000,
        "subject": "My top-up",
        "state": "open",
        "last_message": 2,
        "read_message": 1,
        "created_at": 1,
        "touched_at": 3,
        "lang": "en",
        "asked_at": 2,
    },
    "ticket_messages": {
        "id": 1,
        "ticket": 1,
        "by_house": True,
        "text": "It is on its way.",
        "pictures": "{a,b,c,d}",
        "at": 1,
        "staff": 1,
    },
}

row, twice = partial(constraints.insert, ROWS), partial(constraints.twice, ROWS)
CASES: Final[dict[str, str]] = {
    "tickets_pkey": twice("tickets", subject="Another"),
    "tickets_subject_check": row("tickets", subject=""),
    "tickets_subject_check/too long": row("tickets", subject="x" * 81),
    "tickets_state_check": row("tickets", state="lost"),
    "tickets_last_message_check": "ALTER TABLE tickets DROP CONSTRAINT tickets_check; "
    + row("tickets", last_message=-1),
    "tickets_check": row("tickets", read_message=3),
    "tickets_check/negative": row("tickets", read_message=-1),
    "tickets_created_at_check": row("tickets", created_at=-1),
    "tickets_check1": "ALTER TABLE tickets DROP CONSTRAINT tickets_asked; " + row("tickets", touched_at=0),
    "tickets_lang_check": row("tickets", lang="fr"),
    "tickets_asked": row("tickets", asked_at=0),
    "tickets_asked/too late": row("tickets", asked_at=4),
    "ticket_messages_pkey": twice("ticket_messages", text="Again."),
    "ticket_messages_text_check": row("ticket_messages", text=""),
    "ticket_messages_text_check/too long": row("ticket_messages", text="x" * 2001),
    "ticket_messages_pictures_check": row("ticket_messages", pictures="{a,b,c,d,e}"),
    "ticket_messages_at_check": row("ticket_messages", at=-1),
    "ticket_messages_staff": row("ticket_messages", by_house=False),
}
