"""Every statement on the tables of protection.

Those that belong to one commit with others take its `Connection`; all else takes the `Database`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date
from typing import Final

from kalos.core.database import Connection, Database, Record
from kalos.core.ports import Feature
from kalos.core.terms import Changeable, fit, partner_of
from kalos.domains.protection.rules import Kind, Limit, Numbers, Standing, Switches
from kalos.domains.protection.tables import BreakRow, NoticeRow, NumberRow, SwitchRow

CHANGED: Final = "kalos_protection"
"""The channel on which the tables tell whose standing has changed, by the member's id; an empty text: the orders."""

# A row for the member, one for each thing that counts: what is nearly always absent costs no row, and no JSON.
_STANDING: Final = """
    SELECT id AS member, 'member' AS part, country AS name, is_staff::int::bigint AS value,
        (country IS NULL AND birth_date IS NULL AND terms_version IS NULL)::int::bigint AS next_value,
        NULL::bigint AS next_from
    FROM members WHERE id = ANY($1::bigint[])
    UNION ALL
    SELECT member, 'notice', feature, version, NULL, NULL FROM notices_accepted WHERE member = ANY($1)
    UNION ALL
    SELECT member, 'break', kind, until_at, NULL, NULL FROM player_breaks WHERE member = ANY($1)
    UNION ALL
    SELECT member, 'limit', kind, value, next_value, next_from FROM player_limits WHERE member = ANY($1)
"""
_SWITCHES: Final = (
    "SELECT DISTINCT ON (name, country) name, country, is_on FROM switches ORDER BY name, country, id DESC"
)

_NUMBERS: Final = (
    "SELECT DISTINCT ON (name, country) name, country, value FROM number_orders ORDER BY name, country, id DESC"
)


async def find_standing(db: Database, member: int) -> Standing | None:
    """Read together with those of others who call at this moment."""
    rows = await db.rows_of(_STANDING, member)
    found: dict[str, list[Record]] = {"member": [], "notice": [], "break": [], "limit": []}
    for row in rows:
        found[row["part"]].append(row)
    for own in found["member"]:
        until = _latest(found["break"])
        return Standing(
            country=own["name"],
            is_bare=own["next_value"] == 1,
            is_staff=own["value"] == 1,
            accepted=_latest(found["notice"]),
            paused_until=until.get("break", 0),
            excluded_until=until.get("exclusion", 0),
            limits={row["name"]: Limit(row["value"], row["next_value"], row["next_from"]) for row in found["limit"]},
        )
    return None


def _latest(rows: Sequence[Record]) -> dict[str, int]:
    """Of each name the highest value."""
    found: dict[str, int] = {}
    for row in rows:
        found[row["name"]] = max(row["value"], found.get(row["name"], 0))
    return found


async def find_birth_date(db: Database, member: int) -> date | None:
    """What the member declared; nothing that anybody has looked at."""
    born: date | None = await db.value("SELECT birth_date FROM members WHERE id = $1", member)
    return born


async def list_accepted(db: Database, member: int) -> dict[tuple[str, int], int]:
    """When each text was accepted, by feature and version."""
    rows = await db.rows("SELECT feature, version, at FROM notices_accepted WHERE member = $1", member)
    return {(row["feature"], row["version"]): row["at"] for row in rows}


async def insert_accepted(db: Database, row: NoticeRow) -> None:
    """The first acceptance of a version stands."""
    await db.execute(
        """
        INSERT INTO notices_accepted (member, feature, version, lang, text_hash, at) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT DO NOTHING
        """,
        *asdict(row).values(),
    )


async def lock_limits(db: Connection, member: int) -> dict[Kind, Limit]:
    """The member's limits; until the end of the transaction nobody else changes them."""
    await db.execute("SELECT FROM members WHERE id = $1 FOR NO KEY UPDATE", member)
    rows = await db.fetch("SELECT kind, value, next_value, next_from FROM player_limits WHERE member = $1", member)
    return {row["kind"]: Limit(row["value"], row["next_value"], row["next_from"]) for row in rows}


async def put_limit(db: Connection, member: int, kind: Kind, limit: Limit, *, at: int) -> None:
    await db.execute(
        """
        INSERT INTO player_limits (member, kind, value, next_value, next_from, changed_at)
        VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (member, kind) DO UPDATE SET value = excluded.value,
            next_value = excluded.next_value, next_from = excluded.next_from, changed_at = excluded.changed_at
        """,
        member, kind, limit.value, limit.next_value, limit.next_from, at,
    )  # fmt: skip


async def put_break(db: Connection, row: BreakRow) -> None:
    """One that ends no later than the member's present one of its kind changes nothing, and one of a closed account.

    Until the end of the transaction the account isn't closed.
    """
    await db.execute(
        """
        INSERT INTO player_breaks (member, kind, from_at, until_at)
        SELECT id, $2, $3::bigint, $4::bigint FROM members WHERE id = $1 AND closed_at IS NULL FOR NO KEY UPDATE
        ON CONFLICT (member, kind) DO UPDATE SET from_at = excluded.from_at, until_at = excluded.until_at
        WHERE player_breaks.until_at < excluded.until_at
        """,
        row.member, row.kind, row.from_at, row.until_at,
    )  # fmt: skip


async def paused_until(db: Connection, member: int) -> int:
    """The last end of the member's breaks and exclusions, 0 where there was none."""
    until: int = await db.fetchval("SELECT coalesce(max(until_at), 0) FROM player_breaks WHERE member = $1", member)
    return until


async def erase(db: Connection, member: int) -> None:
    """Limits and breaks of an account that this commit closes."""
    await db.execute("DELETE FROM player_limits WHERE member = $1", member)
    await db.execute("DELETE FROM player_breaks WHERE member = $1", member)


async def find_step(db: Database, member: int) -> int | None:
    step: int | None = await db.value("SELECT step FROM player_steps WHERE member = $1", member)
    return step


# Orders


async def read_switches(db: Database) -> Switches:
    return {(row["name"], row["country"]): row["is_on"] for row in await db.rows(_SWITCHES)}


async def find_switch(db: Connection, name: str, country: str) -> bool | None:
    """What was ordered last for this country, or for everywhere; None where nothing was."""
    is_on: bool | None = await db.fetchval(
        "SELECT is_on FROM switches WHERE name = $1 AND country = $2 ORDER BY id DESC LIMIT 1", name, country
    )
    return is_on


async def list_switches(db: Database) -> list[SwitchRow]:
    """All orders, oldest first."""
    return [SwitchRow(**row) for row in await db.rows("SELECT * FROM switches ORDER BY id")]


async def insert_switch(
    db: Connection | Database,
    *,
    name: Feature | str,
    country: str,
    is_on: bool,
    reason: str,
    ordered_by: str,
    at: int,
    checker: str | None = None,
) -> None:
    await db.execute(
        """
        INSERT INTO switches (name, country, is_on, reason, ordered_by, at, checker)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        """,
        name, country, is_on, reason, ordered_by, at, checker,
    )  # fmt: skip


async def read_numbers(db: Database) -> Numbers:
    return {(row["name"], row["country"]): row["value"] for row in await db.rows(_NUMBERS)}


async def find_number(db: Connection, name: str, country: str) -> int | None:
    """What was ordered last for this country, or for everywhere; None where nothing was."""
    value: int | None = await db.fetchval(
        "SELECT value FROM number_orders WHERE name = $1 AND country = $2 ORDER BY id DESC LIMIT 1", name, country
    )
    return value


async def list_numbers(db: Database) -> list[NumberRow]:
    """All orders, oldest first."""
    return [NumberRow(**row) for row in await db.rows("SELECT * FROM number_orders ORDER BY id")]


async def fits_beside(db: Connection, name: str, value: int, known: Mapping[str, Changeable]) -> bool:
    """Whether a number's new value goes with what counts of its partner.

    Who asks in a transaction orders numbers that have partners alone until its end: of two changes at once, each of
    which fits what was, one sees the other.
    """
    partner = partner_of(name)
    if partner is None:
        return True
    await db.execute("SELECT pg_advisory_xact_lock(hashtextextended('numbers', 0))")
    beside = await find_number(db, partner, "")
    if beside is None or not known[partner].takes(beside):
        beside = known[partner].default
    return fit(name, value, beside)


async def insert_number(
    db: Connection | Database,
    *,
    name: str,
    country: str,
    value: int,
    reason: str,
    ordered_by: str,
    at: int,
    checker: str | None = None,
) -> None:
    await db.execute(
        """
        INSERT INTO number_orders (name, country, value, reason, ordered_by, at, checker)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        """,
        name, country, value, reason, ordered_by, at, checker,
    )  # fmt: skip
