"""Customer service by command, where there is no console: what waits, what was written, answers."""

from collections.abc import Mapping, Sequence
from typing import Final

from kalos.app.login import login
from kalos.core.clock import Clock, utc_text
from kalos.core.database import Connection, Database
from kalos.core.errors import InvalidInput, NotFound, WrongState
from kalos.domains.support import queries, rules, service
from kalos.domains.support.rules import Draft
from kalos.operator.queries import append_audit
from kalos.operator.tables import Act

USAGE: Final = "support list | support show ID | support answer ID TEXT | support close ID"
_LONGEST_ID: Final = 18


async def obey(db: Database, arguments: Sequence[str]) -> tuple[int, str]:
    """What an operator orders. Returns exit code and text."""
    match list(arguments):
        case ["list"]:
            lines = [
                _line(row.id, row.asked_at, account, row.subject) for row, account in await queries.list_waiting(db)
            ]
            return 0, "\n".join(lines) or "nobody waits"
        case [order, number, *text] if number.isdecimal() and len(number) <= _LONGEST_ID:
            try:
                match order, text:
                    case "show", []:
                        return 0, await _show(db, int(number))
                    case "answer", [words]:
                        await _answer(db, int(number), words)
                        return 0, f"ticket {number} is answered"
                    case "close", []:
                        await _close(db, int(number))
                        return 0, f"ticket {number} is closed"
            except NotFound:
                return 1, "there is no such ticket"
            except WrongState:
                return 1, "it is closed"
            except InvalidInput:
                return 1, "an answer has 1 to 2,000 characters, and none that can't be seen"
    return 2, USAGE


async def _answer(db: Database, number: int, words: str) -> None:
    """Raises: InvalidInput, NotFound, WrongState."""
    draft = Draft(rules.read_text(words))
    async with db.transaction() as step:
        was, message = await service.answer(step, number, draft, wall=Clock.wall())
        before = {"state": was.state, "last_message": was.last_message}
        await _record(step, "ticket.answer", number, before, {"state": "answered", "last_message": message})


async def _close(db: Database, number: int) -> None:
    """Raises: NotFound, WrongState."""
    async with db.transaction() as step:
        was = await service.close(step, number)
        await _record(step, "ticket.close", number, {"state": was.state}, {"state": "closed"})


async def _record(
    db: Connection, act: Act, ticket: int, before: Mapping[str, object], after: Mapping[str, object]
) -> None:
    """What is answered on the machine stands in the console's log, too."""
    about, who = f"ticket {ticket}", login()
    await append_audit(db, at=Clock.wall(), staff=None, name=who, act=act, about=about, before=before, after=after)


async def _show(db: Database, number: int) -> str:
    """Raises: NotFound."""
    row = await queries.find_ticket(db, number)
    if row is None:
        raise NotFound()
    parts = [f"{row.subject} ({row.state})"]
    for message in await queries.list_messages(db, number):
        pictures = "".join(f"\n[picture {upload}]" for upload in message.pictures)
        who = "house" if message.by_house else "member"
        parts.append(f"{utc_text(message.at)}  {who}\n{message.text}{pictures}")
    return "\n\n".join(parts)


def _line(number: int, at: int, account: str, subject: str) -> str:
    return f"{number:>6}  {utc_text(at)}  {account}  {subject}"
