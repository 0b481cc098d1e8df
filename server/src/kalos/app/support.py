"""Customer service by command, until the console stands: what waits, what was written, answers."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from kalos.core.database import Database
from kalos.core.errors import InvalidInput, NotFound, WrongState
from kalos.domains.support import queries, service

USAGE: Final = "support list | support show ID | support answer ID TEXT | support close ID"
_LONGEST_ID: Final = 18


async def obey(db: Database, arguments: Sequence[str]) -> tuple[int, str]:
    """What an operator orders. Returns exit code and text."""
    match list(arguments):
        case ["list"]:
            lines = [
                _line(row.id, row.touched_at, account, row.subject) for row, account in await queries.list_waiting(db)
            ]
            return 0, "\n".join(lines) or "nobody waits"
        case [order, number, *text] if number.isdecimal() and len(number) <= _LONGEST_ID:
            try:
                match order, text:
                    case "show", []:
                        return 0, await _show(db, int(number))
                    case "answer", [words]:
                        await service.answer(db, int(number), words)
                        return 0, f"ticket {number} is answered"
                    case "close", []:
                        await service.close(db, int(number))
                        return 0, f"ticket {number} is closed"
            except NotFound:
                return 1, "there is no such ticket"
            except WrongState:
                return 1, "it is closed"
            except InvalidInput:
                return 1, "an answer has 1 to 2,000 characters, and none that can't be seen"
    return 2, USAGE


async def _show(db: Database, number: int) -> str:
    """Raises: NotFound."""
    row = await queries.find_ticket(db, number)
    if row is None:
        raise NotFound()
    parts = [f"{row.subject} ({row.state})"]
    for message in await queries.list_messages(db, number):
        pictures = "".join(f"\n[picture {upload}]" for upload in message.pictures)
        who = "house" if message.by_house else "member"
        parts.append(f"{_utc(message.at)}  {who}\n{message.text}{pictures}")
    return "\n\n".join(parts)


def _line(number: int, at: int, account: str, subject: str) -> str:
    return f"{number:>6}  {_utc(at)}  {account}  {subject}"


def _utc(at: int) -> str:
    return datetime.fromtimestamp(at / 1_000, UTC).strftime("%Y-%m-%d %H:%M UTC")
