"""`settings`: an operator switches features and the identity gates, and marks staff, until the console stands."""

import getpass
from collections.abc import Sequence
from typing import Final

from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.domains.identity.queries import set_staff
from kalos.domains.protection import queries
from kalos.domains.protection.rules import FEATURES, GATES

USAGE: Final = f"""\
settings list | settings on NAME [COUNTRY] --reason TEXT | settings off NAME [COUNTRY] --reason TEXT
settings staff ACCOUNT on | settings staff ACCOUNT off
NAME is a feature ({", ".join(FEATURES)}) or {GATES}.
COUNTRY is two capital letters; without one it counts in all countries that have no order of their own."""

_MOST_REASON: Final = 500


async def obey(db: Database, arguments: Sequence[str]) -> tuple[int, str]:
    """What an operator orders. Returns exit code and text."""
    match list(arguments):
        case ["list"]:
            lines = [
                f"{row.at}  {row.name:<18} {row.country or 'all':<4} {'on' if row.is_on else 'off':<4} {row.reason}"
                for row in await queries.list_switches(db)
            ]
            return 0, "\n".join(lines) or "none: each is as the mode says"
        case ["on" | "off" as word, name, *country, "--reason", reason] if len(country) <= 1:
            return await _switch(db, name, "".join(country), reason, is_on=word == "on")
        case ["staff", account, "on" | "off" as word]:
            member = await set_staff(db, account, is_staff=word == "on")
            if member is None:
                return 1, "there is no such account"
            await queries.tell(db, member)
            return 0, f"{account}: staff {word}"
    return 2, USAGE


async def _switch(db: Database, name: str, country: str, reason: str, *, is_on: bool) -> tuple[int, str]:
    if name not in (*FEATURES, GATES):
        return 1, f"{name} can't be switched"
    if country and not (len(country) == 2 and country.isascii() and country.isupper()):
        return 1, f"{country} is no country's two capital letters"
    if not 1 <= len(reason.strip()) <= _MOST_REASON:
        return 1, f"a reason has 1 to {_MOST_REASON} characters"
    await queries.insert_switch(
        db, name=name, country=country, is_on=is_on, reason=reason, ordered_by=getpass.getuser(), at=Clock.wall()
    )
    return 0, f"{name} is {'on' if is_on else 'off'} {f'in {country}' if country else 'everywhere'}"
