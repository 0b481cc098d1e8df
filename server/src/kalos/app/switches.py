"""`settings`: what is ordered of features, numbers and staff on the machine itself; the console's log has it, too."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from kalos.app.login import login
from kalos.core.clock import Clock, utc_text
from kalos.core.database import Connection, Database
from kalos.core.terms import Changeable, partner_of
from kalos.domains.identity.queries import set_staff
from kalos.domains.protection import queries
from kalos.domains.protection.rules import AGE, FEATURES, GATES
from kalos.domains.protection.tables import NumberRow, SwitchRow
from kalos.operator.queries import append_audit, count_standing
from kalos.operator.settings import SETTING

USAGE: Final = f"""\
settings list | settings get NAME | settings history [NAME]
settings on NAME [COUNTRY] --reason TEXT | settings off NAME [COUNTRY] --reason TEXT
settings set NUMBER VALUE --reason TEXT | settings set {AGE} VALUE COUNTRY --reason TEXT
settings staff ACCOUNT on | settings staff ACCOUNT off
NAME is a feature ({", ".join(FEATURES)}) or {GATES}.
COUNTRY is two capital letters; without one it counts in all countries that have no order of their own.
NUMBER is one of those that `settings list` shows with their bounds."""

SWITCHED: Final = (*FEATURES, GATES)
_MOST_REASON: Final = 500
_SIGNERS: Final = 2
"""Who orders and who signs."""
_COUNTRY: Final = re.compile(r"[A-Z]{2}", re.ASCII)
Known = Mapping[str, Changeable]


async def obey(db: Database, known: Known, arguments: Sequence[str], *, is_demo: bool) -> tuple[int, str]:
    """What an operator orders; `known` are the numbers that may be changed. Returns exit code and text.

    In production the machine orders nothing alone for which the console asks two people, while two can sign there.
    """
    if not is_demo and _asks_two(known, arguments) and await count_standing(db, SETTING.makers) >= _SIGNERS:
        return 1, f"{arguments[1]} needs two people: order it in the console"
    match list(arguments):
        case ["list"]:
            return 0, await _present(db, known, [*known, *SWITCHED])
        case ["get", name] if name in known or name in SWITCHED:
            return 0, await _present(db, known, [name])
        case ["history"]:
            return 0, await _history(db, known, None)
        case ["history", name]:
            return 0, await _history(db, known, name)
        case ["on" | "off" as word, name, *country, "--reason", reason] if len(country) <= 1:
            return await _switch(db, name, "".join(country), reason, is_on=word == "on")
        case ["set", name, value, *country, "--reason", reason] if len(country) <= 1:
            return await _set(db, known, name, value, "".join(country), reason)
        case ["staff", account, "on" | "off" as word]:
            return await _mark(db, account, is_staff=word == "on")
    return 2, USAGE


def _asks_two(known: Known, arguments: Sequence[str]) -> bool:
    """Whether it is a change that two people of the console make: of a number of money, or of a switch."""
    match list(arguments):
        case ["on" | "off", *_]:
            return True
        case ["set", name, *_]:
            return name in known and known[name].signers == _SIGNERS
    return False


async def _mark(db: Database, account: str, *, is_staff: bool) -> tuple[int, str]:
    """Whether a member is one of the house's own, who takes no part."""
    async with db.transaction() as step:
        was = await set_staff(step, account, is_staff=is_staff)
        if was is None:
            return 1, "there is no such account"
        about, before, after = f"staff mark of {account}", {"is_staff": was}, {"is_staff": is_staff}
        await _record(step, about, before, after, login(), Clock.wall())
    return 0, f"{account}: staff {'on' if is_staff else 'off'}"


async def _switch(db: Database, name: str, country: str, reason: str, *, is_on: bool) -> tuple[int, str]:
    if name not in SWITCHED:
        return 1, f"{name} can't be switched"
    if fault := _fault(country, reason):
        return 1, fault
    who, wall = login(), Clock.wall()
    async with db.transaction() as step:
        before = {"is_on": await queries.find_switch(step, name, country)}
        await queries.insert_switch(
            step, name=name, country=country, is_on=is_on, reason=reason, ordered_by=who, at=wall
        )
        after = {"is_on": is_on, "reason": reason}
        await _record(step, f"switch {name} {country or 'everywhere'}", before, after, who, wall)
    return 0, f"{name} is {'on' if is_on else 'off'} {_place(country)}"


async def _set(db: Database, known: Known, name: str, value: str, country: str, reason: str) -> tuple[int, str]:
    if name not in known:
        return 1, f"{name} can't be set while the platform runs"
    if country and name != AGE:
        return 1, f"{name} is the same in all countries"
    if fault := _fault(country, reason):
        return 1, fault
    number = known[name]
    wanted = number.read(value)
    if wanted is None:
        return 1, f"{name} has {number.bounds} {number.unit}".rstrip()
    who, wall = login(), Clock.wall()
    async with db.transaction() as step:
        if not await queries.fits_beside(step, name, wanted, known):
            return 1, f"{name} doesn't go with {partner_of(name)}"
        was = await queries.find_number(step, name, country)
        await queries.insert_number(
            step, name=name, country=country, value=wanted, reason=reason, ordered_by=who, at=wall
        )
        about = f"setting {name} {country}".strip()
        before = {"value": number.text(number.default if was is None else was)}
        await _record(step, about, before, {"value": number.text(wanted), "reason": reason}, who, wall)
    return 0, " ".join(filter(None, (name, "is", value, number.unit, _place(country))))


async def _record(
    db: Connection, about: str, before: Mapping[str, object], after: Mapping[str, object], who: str, wall: int
) -> None:
    """What is ordered on the machine stands in the console's log, too."""
    await append_audit(db, at=wall, staff=None, name=who, act="machine.order", about=about, before=before, after=after)


def _fault(country: str, reason: str) -> str | None:
    if country and not _COUNTRY.fullmatch(country):
        return f"{country} is no country's two capital letters"
    if not 1 <= len(reason.strip()) <= len(reason) <= _MOST_REASON:
        return f"a reason has 1 to {_MOST_REASON} characters"
    return None


def _place(country: str) -> str:
    return f"in {country}" if country else "everywhere"


async def _present(db: Database, known: Known, names: Sequence[str]) -> str:
    """A line for what counts everywhere, and one for each country of its own."""
    switches = {order: "on" if is_on else "off" for order, is_on in (await queries.read_switches(db)).items()}
    numbers = {
        (name, place): known[name].text(value) if name in known else f"{value}"
        for (name, place), value in (await queries.read_numbers(db)).items()
    }
    lines = []
    for name in names:
        number = known.get(name)
        about = "  " + ", ".join(filter(None, (number.unit, number.bounds))) if number else ""
        values = {"": number.text(number.default) if number else "as the mode says"}
        values |= {place: value for (one, place), value in (switches | numbers).items() if one == name}
        lines += [f"{name:<20} {place or 'all':<3}  {value}{about}" for place, value in sorted(values.items())]
    return "\n".join(lines)


async def _history(db: Database, known: Known, name: str | None) -> str:
    """Every order, oldest first: when, what, where, who and why."""
    orders: list[tuple[SwitchRow | NumberRow, str]] = [
        *((row, "on" if row.is_on else "off") for row in await queries.list_switches(db)),
        *((row, _text(known, row)) for row in await queries.list_numbers(db)),
    ]
    lines = [
        f"{utc_text(row.at)}  {row.name:<20} {row.country or 'all':<3}  {value}  {_who(row)}: {row.reason}"
        for row, value in sorted(orders, key=lambda order: (order[0].at, order[0].id))
        if name in (None, row.name)
    ]
    return "\n".join(lines) or "nothing was ordered"


def _text(known: Known, row: NumberRow) -> str:
    return known[row.name].text(row.value) if row.name in known else f"{row.value}"


def _who(row: SwitchRow | NumberRow) -> str:
    return f"{row.ordered_by}, {row.checker}" if row.checker else row.ordered_by
